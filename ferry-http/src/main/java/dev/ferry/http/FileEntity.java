package dev.ferry.http;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.TransferOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;

/**
 * A file as the body of a blocking request, plain or compressed, through one buffer that is filled
 * before each write. The last piece is held back until the file was found unchanged.
 */
final class FileEntity extends AbstractHttpEntity {
  private final FileSource source;
  private final TransferOptions options;
  private final ByteBuffer buffer;
  private final InterruptRegion region;
  private long written;

  /**
   * @param source stays the caller's to close
   * @param buffer with an array
   * @param region entered before each write, and left open for what follows
   */
  FileEntity(
      FileSource source, TransferOptions options, ByteBuffer buffer, InterruptRegion region) {
    super(ContentType.APPLICATION_OCTET_STREAM, options.gzip() ? "gzip" : null);
    this.source = source;
    this.options = options;
    this.buffer = buffer;
    this.region = region;
  }

  /** Bytes written, of the file or of its compressed form. */
  long written() {
    return written;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    if (options.gzip()) {
      writeGzip(out);
    } else {
      writePlain(out);
    }
  }

  private void writePlain(OutputStream out) throws IOException {
    long size = source.facts().size();
    for (long position = 0; position < size; position = written) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), size - position));
      source.readFully(buffer, position);
      write(out, written + buffer.position() == size);
      options.progress().update(written, size);
    }
    if (size == 0) {
      source.verifyUnchanged();
    }
  }

  private void writeGzip(OutputStream out) throws IOException {
    try (GzipEncoder encoder = new GzipEncoder(source, buffer.capacity())) {
      for (boolean last = false; !last; ) {
        last = encoder.fill(buffer.clear());
        write(out, last);
        options.progress().update(encoder.position(), source.facts().size());
      }
    }
  }

  private void write(OutputStream out, boolean last) throws IOException {
    if (last) {
      source.verifyUnchanged();
    }
    region.enter();
    out.write(buffer.array(), 0, buffer.position());
    written += buffer.position();
  }

  @Override
  public long getContentLength() {
    return options.gzip() ? -1 : source.facts().size();
  }

  /** It is written once, and never read. */
  @Override
  public boolean isStreaming() {
    return true;
  }

  @Override
  public InputStream getContent() throws FerryException {
    throw new UnsupportedOperationException("a file is written, not read");
  }

  @Override
  public void close() {}
}
