package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Lets grpc-java send what a {@link Form} writes and give out what it reads. Thread-safe. */
final class FormMarshaller<T> implements MethodDescriptor.Marshaller<T> {
  /** Longer messages are read into an array of their own. */
  private static final int SCRATCH = 64 * 1024;

  private static final ThreadLocal<byte[]> BYTES = ThreadLocal.withInitial(() -> new byte[SCRATCH]);

  private final Form<T> form;

  FormMarshaller(Form<T> form) {
    this.form = form;
  }

  @Override
  public InputStream stream(T value) {
    byte[] bytes = new byte[form.size(value)];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      form.write(value, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.checkNoSpaceLeft();
    return new Bytes(bytes);
  }

  @Override
  public T parse(InputStream stream) {
    try {
      return form.read(input(stream));
    } catch (InvalidProtocolBufferException e) {
      throw Status.INTERNAL
          .withDescription("malformed message: " + e.getMessage())
          .withCause(e)
          .asRuntimeException();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The message in an array that is used again: nothing of it may be kept. */
  private static CodedInputStream input(InputStream stream) throws IOException {
    int length = stream instanceof KnownLength ? stream.available() : SCRATCH + 1;
    if (length > SCRATCH) {
      return CodedInputStream.newInstance(stream.readAllBytes());
    }
    byte[] bytes = BYTES.get();
    return CodedInputStream.newInstance(bytes, 0, stream.readNBytes(bytes, 0, length));
  }

  /** A message in one array, which grpc's framer may ask for as a whole. */
  private static final class Bytes extends ByteArrayInputStream implements KnownLength, Drainable {
    Bytes(byte[] bytes) {
      super(bytes);
    }

    @Override
    public int drainTo(OutputStream target) throws IOException {
      int n = count - pos;
      target.write(buf, pos, n);
      pos = count;
      return n;
    }
  }
}
