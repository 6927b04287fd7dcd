package dev.ferry.zerocopy;

import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.List;

/**
 * A message whose {@code bytes} field is held in direct buffers beside it. For one thread at a
 * time.
 *
 * <p>A received message belongs to its receiver, who must {@linkplain #close close} it once, on any
 * thread: the buffers of the transport are released only then. Netty's leak detector reports a
 * received message that was forgotten ({@code -Dio.netty.leakDetection.level=paranoid} reports each
 * one).
 *
 * {@snippet class="dev.ferry.zerocopy.ZeroCopySnippets" region="message"}
 *
 * <p>A message to send belongs to the call as soon as it was passed to {@code onNext} or {@code
 * sendMessage} without an exception; gRPC closes it. Close it only if it was not sent. It can be
 * sent once.
 *
 * @param <M> the generated type of the message
 */
public sealed interface BytesMessage<M extends MessageLite> extends AutoCloseable
    permits OutgoingMessage, IncomingMessage, PlainMessage {
  /**
   * Returns the message without its bytes: all fields are set but the {@code bytes} field. Valid
   * also after {@link #close}.
   */
  M rest();

  /**
   * Returns whether the message has the {@code bytes} field, which may be empty. A field of proto3
   * without {@code optional} that is empty is not sent, and so is absent.
   */
  boolean hasBytes();

  /** Returns the length of the field in bytes; 0 if it is absent. */
  int length();

  /**
   * Returns read-only views of the bytes, in order. They are valid until {@link #close}.
   *
   * @throws IllegalStateException if the message was closed or sent
   */
  List<ByteBuffer> buffers();

  /**
   * Writes all bytes to a channel, with as few calls as the channel permits.
   *
   * @param channel a channel in blocking mode
   * @return the number of bytes
   * @throws IOException if the channel throws it
   * @throws IllegalStateException if the message was closed or sent
   */
  default long writeTo(GatheringByteChannel channel) throws IOException {
    ByteBuffer[] buffers = buffers().toArray(ByteBuffer[]::new);
    GatheringWriter.writeFully(channel, buffers, 0, buffers.length);
    return length();
  }

  /**
   * Returns the bytes as one buffer, without a copy. The caller releases it; this message is closed
   * then and {@link #rest} stays valid.
   *
   * @throws IllegalStateException if the message was closed or sent
   */
  ByteBuf toByteBuf();

  /**
   * Returns the message as the generated code has it. The bytes are copied to the heap once, since
   * protobuf-java 4.36 has no {@code ByteString} of direct memory, so the message stays valid after
   * {@link #close}.
   *
   * @throws IllegalStateException if the message was closed or sent
   */
  M message();

  /** Releases the buffers. A second call has no effect. */
  @Override
  void close();
}
