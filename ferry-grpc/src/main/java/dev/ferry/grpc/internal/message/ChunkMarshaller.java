package dev.ferry.grpc.internal.message;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.zerocopy.BytesMessage;
import io.grpc.HasByteBuffer;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The marshaller of {@link ChunkFormat}, whose {@link #parse} never throws. A message that cannot
 * be read becomes a message for which {@link ChunkFormat#header} throws the failure. Thread-safe.
 *
 * <p>Only grpc-java sees an exception of a marshaller. It would close the server's call without
 * notifying the upload. The upload would keep its file open. If the end of the stream has already
 * arrived, the upload would even commit the file without the message.
 *
 * @param plain the marshaller of messages that are not compressed
 */
public record ChunkMarshaller(
    String method,
    MethodDescriptor.Marshaller<BytesMessage<FilePart>> plain,
    ChunkCounters counters,
    List<PrecompressedCodec> codecs,
    MessageDecompressor decompressor)
    implements MethodDescriptor.Marshaller<ChunkMessage> {
  @Override
  public InputStream stream(ChunkMessage message) {
    if (message instanceof ChunkMessage.Plain chunk) {
      return plain.stream(chunk.message());
    }
    if (message instanceof ChunkMessage.CompressedOutgoing compressed) {
      return new PrecompressedStream(compressed, counters, decompressor);
    }
    throw new IllegalArgumentException("a received message cannot be sent on");
  }

  @Override
  public ChunkMessage parse(InputStream stream) {
    try {
      // The stream of a codec has no buffers.
      ChunkMessage compressed = stream instanceof HasByteBuffer ? null : compressed(stream);
      return compressed == null ? new ChunkMessage.Plain(plain.parse(stream)) : compressed;
    } catch (IOException | RuntimeException e) {
      return new ChunkMessage.Unreadable(failure(method, e));
    }
  }

  /** Returns the message in compressed form; null if it is not compressed or cannot be detached. */
  private ChunkMessage.@Nullable CompressedIncoming compressed(InputStream stream)
      throws IOException {
    codecs.forEach(PrecompressedCodec::forget);
    // grpc-java's wrapper forwards this call to the codec's stream, which then registers itself.
    int ignored = stream.available();
    for (PrecompressedCodec codec : codecs) {
      ChunkMessage.CompressedIncoming taken = codec.takeOffered();
      if (taken != null) {
        return taken;
      }
    }
    return null;
  }

  /**
   * Returns the failure for a message that cannot be read.
   *
   * @param method the full method name
   */
  public static FerryException failure(String method, Exception e) {
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
