package dev.ferry.grpc.internal.message;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.ferry.contract.v1.FilePart;
import dev.ferry.contract.v1.FilesGrpc;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import io.grpc.MethodDescriptor;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** {@code Default}: generated messages and a new array per chunk. */
public final class GeneratedFormat implements ChunkFormat<FilePart> {
  /**
   * A placeholder for an unreadable message. No peer sends an empty message, and an empty message
   * is refused just as an unreadable one.
   */
  private static final FilePart UNREADABLE = FilePart.getDefaultInstance();

  @Override
  public ChunkMarshaller<FilePart> marshaller(String method) {
    return new Marshaller(FilesGrpc.getDownloadMethod().getResponseMarshaller());
  }

  @Override
  public FilePart wrap(FilePart part) {
    return part;
  }

  @Override
  public ChunkFeed<FilePart> feed(
      FileSource source, long from, long to, int chunkSize, boolean batching) {
    return new ReadingFeed<>(this::chunk, source, from, to, chunkSize);
  }

  private FilePart chunk(FileSource source, long position, int length) throws FerryException {
    byte[] bytes = new byte[length];
    source.readFully(ByteBuffer.wrap(bytes), position);
    // The wrap is safe because nothing else references the array. It saves a second copy.
    ByteString chunk = UnsafeByteOperations.unsafeWrap(bytes);
    return FilePart.newBuilder().setChunk(chunk).build();
  }

  @Override
  public @Nullable FilePart header(FilePart message, boolean first) {
    return message.hasChunk() ? null : message;
  }

  @Override
  public void release(FilePart message) {}

  @Override
  public ChunkWriter<FilePart> writer(FileSink sink, Arrivals arrivals) {
    return new ChunkWriter<>() {
      private long bytes;

      @Override
      public boolean write(FilePart message) throws FerryException {
        bytes += message.getChunk().size();
        for (ByteBuffer buffer : message.getChunk().asReadOnlyByteBufferList()) {
          sink.write(buffer);
        }
        return true;
      }

      @Override
      public long bytes() {
        return bytes;
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  private record Marshaller(MethodDescriptor.Marshaller<FilePart> generated)
      implements ChunkMarshaller<FilePart> {
    @Override
    public InputStream stream(FilePart message) {
      return generated.stream(message);
    }

    @Override
    public FilePart parse(InputStream stream) {
      try {
        return generated.parse(stream);
      } catch (RuntimeException e) {
        // The receiver fails with a status of its own.
        return UNREADABLE;
      }
    }
  }
}
