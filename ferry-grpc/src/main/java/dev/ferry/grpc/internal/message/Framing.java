package dev.ferry.grpc.internal.message;

import dev.ferry.zerocopy.HandOffAllocator;
import io.grpc.Codec;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;

/**
 * What a transport other than grpc-java's must use for the messages of {@link ChunkFormat} to avoid
 * copies.
 *
 * <p>For outgoing messages the transport works as grpc-java's framer does. It calls {@code
 * available()} on a message of known length. It requests {@code buffer(n, n)} from the allocator,
 * with {@code n} equal to that length plus five bytes. It writes the prefix into the buffer and
 * makes the message drain itself. It then sends all readable bytes of the buffer, which may hold
 * several messages. A compressed message is drained through its codec; the first buffer has {@value
 * HandOffAllocator#FIRST_BUFFER} bytes. An incoming message is a stream that can be detached and
 * provides views of its bytes.
 *
 * @param allocator returns either a buffer that is already filled or a pooled buffer
 * @param codecs the supported compressions, in addition to {@code identity}
 */
public record Framing(ByteBufAllocator allocator, List<? extends Codec> codecs) {}
