package dev.ferry.grpc.internal.message;

import io.grpc.Codec;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;

/**
 * What a transport other than grpc-java's has to use for the messages of {@code ZeroCopy}, so that
 * they travel without a copy.
 *
 * <p>Outwards such a transport does as grpc-java's framer: it asks a message that knows its length
 * for {@code available()}, asks the allocator for {@code buffer(n, n)} with n of that and five
 * bytes, writes the prefix there and has the message drain itself; then all that is readable in the
 * buffer is to be sent, which may be several messages. A compressed message is drained through its
 * codec into buffers of {@value #FIRST_BUFFER} bytes at first. Inwards a message is a stream that
 * can be detached and gives views of its bytes.
 *
 * @param allocator answers with a buffer that is filled already, or a pooled one
 * @param codecs the compressions, beside none
 */
public record Framing(ByteBufAllocator allocator, List<? extends Codec> codecs) {
  /** Bytes of the first buffer that a compressor's output is collected in. */
  public static final int FIRST_BUFFER = 4096;
}
