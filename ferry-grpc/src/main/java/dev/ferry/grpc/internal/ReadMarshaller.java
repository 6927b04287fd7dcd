package dev.ferry.grpc.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.grpc.internal.message.ChunkCodec;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.InputStream;

/**
 * A form's marshaller that never fails to read: what cannot be read becomes a message that says so.
 *
 * <p>A marshaller's exception reaches nobody but grpc-java. A server's call would be closed behind
 * the back of the upload, which would not hear of it, keep its file, and even commit it when the
 * stream's end is there already: without the message.
 */
final class ReadMarshaller<M> implements MethodDescriptor.Marshaller<M> {
  private final ChunkCodec<M> form;
  private final String method;

  /**
   * @param method its full name
   */
  ReadMarshaller(ChunkCodec<M> form, String method) {
    this.form = form;
    this.method = method;
  }

  @Override
  public InputStream stream(M message) {
    return form.marshaller().stream(message);
  }

  @Override
  public M parse(InputStream stream) {
    try {
      return form.marshaller().parse(stream);
    } catch (RuntimeException e) {
      return form.unreadable(failure(method, e));
    }
  }

  /** What is said of a message of a method that cannot be read. */
  static FerryException failure(String method, RuntimeException e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof FerryException known) {
        return known;
      }
    }
    Status status = Status.fromThrowable(e);
    if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED) {
      // What grpc-java says of a compressed message over the limit.
      return new FerryException(ErrorKind.TOO_LARGE, String.valueOf(status.getDescription()), e);
    }
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new FerryException(
        ErrorKind.INVALID_REQUEST, method + ": a message cannot be read: " + cause.getMessage(), e);
  }
}
