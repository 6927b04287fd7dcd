package dev.ferry.suites.own;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.UnsafeByteOperations;
import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads messages whose bytes are views of Netty's buffers, as the {@code ZeroCopyMessageMarshaller}
 * of GoogleCloudPlatform/grpc-gcp-java and of Apache Ratis does. Each message must be {@linkplain
 * #release released}. Thread-safe.
 */
final class AliasingMarshaller implements Marshaller<Blob> {
  private final Marshaller<Blob> generated = BlobStoreGrpc.getReadMethod().getResponseMarshaller();
  private final Map<Blob, InputStream> streams =
      Collections.synchronizedMap(new IdentityHashMap<>());

  @Override
  public InputStream stream(Blob message) {
    return generated.stream(message);
  }

  @Override
  public Blob parse(InputStream stream) {
    if (!(stream instanceof KnownLength
        && stream instanceof Detachable detachable
        && stream instanceof HasByteBuffer buffers
        && buffers.byteBufferSupported())) {
      return generated.parse(stream);
    }
    try {
      int size = stream.available();
      InputStream detached = detachable.detach();
      // Keeps the buffers that are skipped.
      detached.mark(size);
      List<ByteString> views = new ArrayList<>();
      while (detached.available() > 0) {
        ByteBuffer view = ((HasByteBuffer) detached).getByteBuffer();
        if (view == null) {
          break;
        }
        views.add(UnsafeByteOperations.unsafeWrap(view));
        detached.skipNBytes(view.remaining());
      }
      detached.reset();
      CodedInputStream input = ByteString.copyFrom(views).newCodedInput();
      input.enableAliasing(true);
      Blob message = Blob.parseFrom(input);
      streams.put(message, detached);
      return message;
    } catch (IOException e) {
      throw Status.INTERNAL
          .withDescription("a message cannot be read: " + e.getMessage())
          .withCause(e)
          .asRuntimeException();
    }
  }

  /** Releases the buffers of a message, which must not be used any more. */
  void release(Blob message) {
    InputStream stream = streams.remove(message);
    if (stream != null) {
      try {
        stream.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
