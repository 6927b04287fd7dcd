package dev.ferry.suites.rival.grpcjava;

import com.google.protobuf.UnsafeByteOperations;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.suites.files.v1.FilePart;
import dev.ferry.suites.files.v1.FilesGrpc;
import io.grpc.MethodDescriptor.Marshaller;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** {@code Default}: the generated messages, with a new array for each chunk at both ends. */
final class GeneratedMessages implements ChunkMessages<FilePart> {
  @Override
  public Marshaller<FilePart> marshaller() {
    return FilesGrpc.getDownloadMethod().getResponseMarshaller();
  }

  @Override
  public FilePart of(FilePart part) {
    return part;
  }

  @Override
  public FilePart read(FileSource source, long position, int length) throws FerryException {
    byte[] bytes = new byte[length];
    source.readFully(ByteBuffer.wrap(bytes), position);
    // Nothing else refers to the array, so a second copy is saved.
    return FilePart.newBuilder().setChunk(UnsafeByteOperations.unsafeWrap(bytes)).build();
  }

  @Override
  public @Nullable FilePart header(FilePart message) {
    return message.hasChunk() ? null : message;
  }

  /** Writes without a copy: the buffers are views of the parsed message. */
  @Override
  public void write(FilePart chunk, FileSink sink) throws FerryException {
    for (ByteBuffer buffer : chunk.getChunk().asReadOnlyByteBufferList()) {
      sink.write(buffer);
    }
  }

  @Override
  public void release(FilePart message) {}
}
