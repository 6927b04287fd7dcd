package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** A grpc-java marshaller for a {@link ProtoAdapter}. Thread-safe. */
final class ProtoMarshaller<T> implements MethodDescriptor.Marshaller<T> {
  /** Longer messages are read into a new array. */
  private static final int MOST_KEPT = 128 * 1024;

  private static final int FIRST_BYTES = 1024;

  /** Grows with the messages that are read. */
  private static final ThreadLocal<byte[]> KEPT =
      ThreadLocal.withInitial(() -> new byte[FIRST_BYTES]);

  private final ProtoAdapter<T> adapter;

  ProtoMarshaller(ProtoAdapter<T> adapter) {
    this.adapter = adapter;
  }

  @Override
  public InputStream stream(T value) {
    MessageWriter out = MessageWriter.take();
    try {
      adapter.write(value, out);
      return new EncodedMessage(out.arrays());
    } finally {
      out.giveBack();
    }
  }

  @Override
  public T parse(InputStream stream) {
    return parse(stream, this::read);
  }

  private T read(byte[] bytes, int length) throws IOException {
    return adapter.read(CodedInputStream.newInstance(bytes, 0, length));
  }

  /** Parses the first bytes of a reused array, so it must not keep a reference to the array. */
  @FunctionalInterface
  interface Reading<R> {
    R read(byte[] bytes, int length) throws IOException;
  }

  /** Reads a complete message and parses it. */
  static <R> R parse(InputStream stream, Reading<R> reading) {
    try {
      if (!(stream instanceof KnownLength)) {
        byte[] bytes = stream.readAllBytes();
        return reading.read(bytes, bytes.length);
      }
      // grpc-java delivers only complete messages.
      int length = stream.available();
      byte[] bytes = array(length);
      return reading.read(bytes, stream.readNBytes(bytes, 0, length));
    } catch (InvalidProtocolBufferException e) {
      throw Status.INTERNAL
          .withDescription("malformed message: " + e.getMessage())
          .withCause(e)
          .asRuntimeException();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] array(int length) {
    byte[] kept = KEPT.get();
    if (length <= kept.length) {
      return kept;
    }
    if (length > MOST_KEPT) {
      return new byte[length];
    }
    byte[] grown = new byte[Math.min(MOST_KEPT, 2 * length)];
    KEPT.set(grown);
    return grown;
  }
}
