package dev.ferry.grpc.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.grpc.internal.message.ChunkCodec;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.InputStream;

/**
 * Wraps the marshaller of a codec so that parsing never throws. A message that cannot be read
 * becomes an {@linkplain ChunkCodec#unreadable unreadable} message.
 *
 * <p>Only grpc-java sees an exception of a marshaller. It would close the server's call without
 * notifying the upload. The upload would keep its file open. If the end of the stream has already
 * arrived, the upload would even commit the file without the message.
 */
final class ReadMarshaller<M> implements MethodDescriptor.Marshaller<M> {
  private final ChunkCodec<M> codec;
  private final String method;

  /**
   * @param method the full method name
   */
  ReadMarshaller(ChunkCodec<M> codec, String method) {
    this.codec = codec;
    this.method = method;
  }

  @Override
  public InputStream stream(M message) {
    return codec.marshaller().stream(message);
  }

  @Override
  public M parse(InputStream stream) {
    try {
      return codec.marshaller().parse(stream);
    } catch (RuntimeException e) {
      return codec.unreadable(failure(method, e));
    }
  }

  /** Returns the failure for a message of a method that cannot be read. */
  static FerryException failure(String method, RuntimeException e) {
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
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new FerryException(
        ErrorKind.INVALID_REQUEST, method + ": a message cannot be read: " + cause.getMessage(), e);
  }
}
