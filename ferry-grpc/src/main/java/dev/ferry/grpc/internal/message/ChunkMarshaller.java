package dev.ferry.grpc.internal.message;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.InputStream;

/**
 * A marshaller of {@link ChunkFormat} whose {@link #parse} never throws. A message that cannot be
 * read becomes a message for which {@link ChunkFormat#header} throws the failure.
 *
 * <p>Only grpc-java sees an exception of a marshaller. It would close the server's call without
 * notifying the upload. The upload would keep its file open. If the end of the stream has already
 * arrived, the upload would even commit the file without the message.
 *
 * @param <M> the message type of the format
 */
public interface ChunkMarshaller<M> extends MethodDescriptor.Marshaller<M> {
  @Override
  M parse(InputStream stream);

  /**
   * Returns the failure for a message that cannot be read.
   *
   * @param method the full method name
   */
  static FerryException failure(String method, Exception e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof FerryException known) {
        return known;
      }
    }
    Status status = Status.fromThrowable(e);
    if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED) {
      // grpc-java reports this for a compressed message above the size limit.
      return new FerryException(ErrorKind.TOO_LARGE, String.valueOf(status.getDescription()), e);
    }
    Throwable cause = e instanceof RuntimeException && e.getCause() != null ? e.getCause() : e;
    return new FerryException(
        ErrorKind.INVALID_REQUEST, method + ": a message cannot be read: " + cause.getMessage(), e);
  }
}
