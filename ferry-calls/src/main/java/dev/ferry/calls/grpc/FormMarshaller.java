package dev.ferry.calls.grpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Lets grpc-java send what a {@link Form} writes and give out what it reads. Thread-safe. */
final class FormMarshaller<T> implements MethodDescriptor.Marshaller<T> {
  /** Longer messages are read into an array of their own. */
  private static final int SCRATCH = 128 * 1024;

  private static final ThreadLocal<byte[]> BYTES = ThreadLocal.withInitial(() -> new byte[SCRATCH]);

  private final Form<T> form;

  FormMarshaller(Form<T> form) {
    this.form = form;
  }

  @Override
  public InputStream stream(T value) {
    MessageWriter out = MessageWriter.take();
    form.write(value, out);
    InputStream message = new WrittenMessage(out.pieces());
    out.giveBack();
    return message;
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
    if (!(stream instanceof KnownLength)) {
      return CodedInputStream.newInstance(stream.readAllBytes());
    }
    // All of it is there: grpc-java gives out no message before.
    int length = stream.available();
    byte[] bytes = length <= SCRATCH ? BYTES.get() : new byte[length];
    return CodedInputStream.newInstance(bytes, 0, stream.readNBytes(bytes, 0, length));
  }
}
