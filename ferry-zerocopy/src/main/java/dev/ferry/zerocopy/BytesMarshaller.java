package dev.ferry.zerocopy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.ferry.zerocopy.FieldScanner.Place;
import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
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
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the messages of a {@link BytesField}. Thread-safe.
 *
 * @param method the full method name, for failures
 * @param requests whether clients stream with it and servers parse. A client may have to send a
 *     message twice, and a server never refuses one by an exception ({@link UnreadableMessage}).
 */
record BytesMarshaller<M extends MessageLite>(BytesField<M> field, String method, boolean requests)
    implements MethodDescriptor.PrototypeMarshaller<BytesMessage<M>> {
  /** A message in more buffers is copied: it is more work to keep them than to copy them. */
  private static final int MAX_VIEWS = 512;

  private static final int COPY_BYTES = 16 * 1024;

  @Override
  @SuppressWarnings("unchecked")
  public Class<BytesMessage<M>> getMessageClass() {
    return (Class<BytesMessage<M>>) (Class<?>) BytesMessage.class;
  }

  @Override
  public @Nullable BytesMessage<M> getMessagePrototype() {
    return field.message(field.prototype());
  }

  @Override
  public InputStream stream(BytesMessage<M> message) {
    if (message instanceof PlainMessage<M> plain) {
      return new ByteArrayInputStream(plain.message().toByteArray());
    }
    OutgoingMessage<M> outgoing =
        message instanceof OutgoingMessage<M> sent
            ? sent
            // A message that was received: its buffers move on.
            : (OutgoingMessage<M>) field.message(message.rest(), message.toByteBuf());
    return requests ? outgoing.repeatableStream() : outgoing.stream();
  }

  @Override
  public BytesMessage<M> parse(InputStream stream) {
    try {
      BytesMessage<M> viewed = viewed(stream);
      return viewed == null ? copied(stream) : viewed;
    } catch (InvalidProtocolBufferException e) {
      return refuse(
          requests ? Status.INVALID_ARGUMENT : Status.INTERNAL, "it is no protobuf message", e);
    } catch (StatusRuntimeException e) {
      // A message that is larger than this end permits when it is decompressed.
      return refuse(e.getStatus(), String.valueOf(e.getStatus().getDescription()), e);
    } catch (IOException | UncheckedIOException e) {
      return refuse(
          requests ? Status.INVALID_ARGUMENT : Status.INTERNAL, String.valueOf(e.getMessage()), e);
    }
  }

  private BytesMessage<M> refuse(Status status, String reason, Exception cause) {
    Status described =
        status.withDescription(method + ": a message cannot be read: " + reason).withCause(cause);
    if (requests) {
      return new UnreadableMessage<>(described);
    }
    throw described.asRuntimeException();
  }

  /** Reads a message from views of its buffers; null if the transport gives none. */
  private @Nullable BytesMessage<M> viewed(InputStream stream) throws IOException {
    if (!(stream instanceof HasByteBuffer buffers
        && stream instanceof Detachable detachable
        && stream instanceof KnownLength
        && stream.markSupported()
        && buffers.byteBufferSupported())) {
      return null;
    }
    int length = stream.available();
    InputStream owned = detachable.detach();
    boolean kept = false;
    try {
      List<ByteBuffer> views = views(owned, length);
      if (views.size() > MAX_VIEWS) {
        return copied(owned);
      }
      Place place = FieldScanner.find(views, length, field.tag());
      if (place == null) {
        return normalized(field.parse(views));
      }
      if (place == Place.NONE) {
        return field.message(checked(field.parse(views)));
      }
      M rest = rest(views, length, place);
      if (rest == null) {
        return normalized(field.parse(views));
      }
      List<ByteBuffer> bytes = BytesField.slice(views, place.payload(), place.end());
      BytesMessage<M> message =
          new IncomingMessage<>(field, rest, place.length(), bytes, () -> close(owned));
      kept = true;
      field.copies().viewed();
      return message;
    } finally {
      if (!kept) {
        owned.close();
      }
    }
  }

  private static void close(InputStream owned) {
    try {
      owned.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<ByteBuffer> views(InputStream owned, int length) throws IOException {
    List<ByteBuffer> views = new ArrayList<>(4);
    // The mark retains the skipped buffers. Without it, skipping would release them.
    owned.mark(length);
    int left = length;
    while (left > 0 && views.size() <= MAX_VIEWS) {
      ByteBuffer view = ((HasByteBuffer) owned).getByteBuffer();
      if (view == null || owned.available() == 0) {
        throw new IllegalStateException(left + " bytes of the message are missing");
      }
      if (view.hasRemaining()) {
        views.add(view);
      }
      // A view is empty if a DATA frame was, as proxies send them. A skip of nothing passes it.
      left -= (int) owned.skip(view.remaining());
    }
    owned.reset();
    return views;
  }

  /** Returns the message without its bytes; null if fields beside it decide whether it has them. */
  private @Nullable M rest(List<ByteBuffer> views, int length, Place place) throws IOException {
    int before = place.start();
    int after = length - place.end();
    if (before + after == 0) {
      return withoutBytes(field.prototype());
    }
    if (!field.isAlone()) {
      return null;
    }
    ByteBuffer others = ByteBuffer.allocate(before + after);
    BytesField.slice(views, 0, before).forEach(others::put);
    BytesField.slice(views, place.end(), length).forEach(others::put);
    return withoutBytes(field.parse(others.array()));
  }

  /** Returns a message whose required fields are set. */
  private M checked(M message) throws InvalidProtocolBufferException {
    if (!message.isInitialized()) {
      throw new InvalidProtocolBufferException("a required field is missing");
    }
    return message;
  }

  /** Returns a message whose required fields are set, of which the bytes may be one. */
  private M withoutBytes(M rest) throws InvalidProtocolBufferException {
    if (!rest.isInitialized()) {
      checked(field.withBytes(rest, List.of()));
    }
    return rest;
  }

  /**
   * Returns what the generated code has read: from a message that has the field several times, or
   * in a {@code oneof} with others.
   */
  private BytesMessage<M> normalized(M message) throws InvalidProtocolBufferException {
    byte[] encoded = checked(message).toByteArray();
    ByteBuffer view = ByteBuffer.wrap(encoded).asReadOnlyBuffer();
    Place place = FieldScanner.find(List.of(view), encoded.length, field.tag());
    if (place == null || place == Place.NONE) {
      return field.message(message);
    }
    M rest = field.parse(BytesField.without(encoded, place));
    field.copies().copiedIn();
    List<ByteBuffer> bytes = BytesField.slice(List.of(view), place.payload(), place.end());
    return new IncomingMessage<>(field, rest, place.length(), bytes, () -> {});
  }

  /** Reads a message by copying it to a buffer of its own. */
  private BytesMessage<M> copied(InputStream stream) throws IOException {
    // One byte more than is known to come, to find the end without another buffer.
    int expected = stream instanceof KnownLength ? stream.available() + 1 : COPY_BYTES;
    ByteBuf buffer = field.pool().directBuffer(expected);
    boolean kept = false;
    try {
      while (buffer.writeBytes(stream, Math.min(COPY_BYTES, Math.max(1, buffer.writableBytes())))
          >= 0) {
        // Until the end of the stream.
      }
      int length = buffer.readableBytes();
      List<ByteBuffer> views = List.of(buffer.nioBuffer());
      Place place = FieldScanner.find(views, length, field.tag());
      if (place == Place.NONE) {
        return field.message(checked(field.parse(views)));
      }
      M rest = place == null ? null : rest(views, length, place);
      if (place == null || rest == null) {
        return normalized(field.parse(views));
      }
      List<ByteBuffer> bytes = BytesField.slice(views, place.payload(), place.end());
      BytesMessage<M> message =
          new IncomingMessage<>(field, rest, place.length(), bytes, buffer::release);
      kept = true;
      field.copies().copiedIn();
      return message;
    } finally {
      if (!kept) {
        buffer.release();
      }
    }
  }
}
