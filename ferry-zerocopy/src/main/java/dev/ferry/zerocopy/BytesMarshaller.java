package dev.ferry.zerocopy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the messages of a {@link BytesField}. Thread-safe.
 *
 * <p>It is no {@code PrototypeMarshaller}: for Armeria, the messages of those are protobuf's own.
 *
 * @param method the full method name, for failures
 * @param requests whether clients stream with it and servers parse. A client may have to send a
 *     message twice.
 */
record BytesMarshaller<M extends MessageLite>(BytesField<M> field, String method, boolean requests)
    implements MethodDescriptor.Marshaller<BytesMessage<M>> {
  /** Up to this many bytes Netty copies from a stream to a direct buffer without a new array. */
  private static final int COPY_BYTES = 1024;

  @Override
  public InputStream stream(BytesMessage<M> message) {
    if (message instanceof PlainMessage<M> plain) {
      return new ByteArrayInputStream(plain.message().toByteArray());
    }
    OutgoingMessage<M> outgoing = outgoing(message);
    return requests ? outgoing.repeatableStream() : outgoing.stream();
  }

  /** Returns a message with a buffer as it is sent. Those of one that was received move on. */
  OutgoingMessage<M> outgoing(BytesMessage<M> message) {
    return message instanceof OutgoingMessage<M> sent
        ? sent
        : (OutgoingMessage<M>) field.message(message.rest(), message.toByteBuf());
  }

  @Override
  public BytesMessage<M> parse(InputStream stream) {
    try {
      BytesMessage<M> viewed = viewed(stream);
      return viewed == null ? copied(stream) : viewed;
    } catch (InvalidProtocolBufferException e) {
      throw refused(unreadable(), "it is not a protobuf message", e);
    } catch (StatusRuntimeException e) {
      // A message that is larger than this end permits when it is decompressed.
      throw refused(e.getStatus(), String.valueOf(e.getStatus().getDescription()), e);
    } catch (IOException | UncheckedIOException e) {
      throw refused(unreadable(), String.valueOf(e.getMessage()), e);
    }
  }

  private Status unreadable() {
    return requests ? Status.INVALID_ARGUMENT : Status.INTERNAL;
  }

  private StatusRuntimeException refused(Status status, String reason, Exception cause) {
    return status
        .withDescription(method + ": a message cannot be read: " + reason)
        .withCause(cause)
        .asRuntimeException();
  }

  /** Reads a message from views of its buffers; null if the transport gives none, or too many. */
  private @Nullable BytesMessage<M> viewed(InputStream stream) throws IOException {
    ByteBuffer first = DetachedBytes.firstView(stream);
    if (first == null) {
      return null;
    }
    int length = stream.available();
    List<ByteBuffer> views = DetachedBytes.views(stream, first, length);
    if (views == null) {
      return null;
    }
    int header = field.decoder().header(first, length);
    InputStream owner = DetachedBytes.detach(stream);
    if (header >= 0) {
      first.position(first.position() + header);
      field.copies().viewed();
      return field.decoder().alone(views, owner);
    }
    boolean kept = false;
    try {
      BytesMessage<M> message = field.decoder().decode(views, length, owner);
      kept = message instanceof IncomingMessage<M> incoming && incoming.ownsBuffers();
      if (kept) {
        field.copies().viewed();
      } else if (message.hasBytes()) {
        field.copies().copiedIn();
      }
      return message;
    } finally {
      if (!kept) {
        owner.close();
      }
    }
  }

  /** Reads a message by copying it to a buffer of its own. */
  private BytesMessage<M> copied(InputStream stream) throws IOException {
    // One byte more than is known to come, to find the end without another buffer.
    int expected = stream instanceof KnownLength ? stream.available() + 1 : COPY_BYTES;
    ByteBuf buffer = field.pool().directBuffer(expected);
    boolean read = false;
    try {
      while (buffer.writeBytes(stream, Math.min(COPY_BYTES, Math.max(1, buffer.writableBytes())))
          >= 0) {
        // Until the end of the stream.
      }
      read = true;
    } finally {
      if (!read) {
        buffer.release();
      }
    }
    BytesMessage<M> message = field.decode(buffer);
    if (message.hasBytes()) {
      field.copies().copiedIn();
    }
    return message;
  }
}
