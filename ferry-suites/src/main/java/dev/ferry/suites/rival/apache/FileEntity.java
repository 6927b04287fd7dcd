package dev.ferry.suites.rival.apache;

import dev.ferry.http.internal.CopyBuffers;
import dev.ferry.http.internal.FileBody;
import dev.ferry.http.internal.Payload;
import dev.ferry.suites.rival.InterruptRegion;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;

/**
 * A file as the body of a blocking request of Apache's client, through one buffer that is filled
 * before each write.
 */
final class FileEntity extends AbstractHttpEntity {
  private final Payload payload;
  private final CopyBuffers buffers;
  private final InterruptRegion region;

  /**
   * @param buffers with arrays
   * @param region entered before each write, and left open for what follows
   */
  FileEntity(Payload payload, CopyBuffers buffers, InterruptRegion region) {
    super(ContentType.APPLICATION_OCTET_STREAM, payload.length() < 0 ? "gzip" : null);
    this.payload = payload;
    this.buffers = buffers;
    this.region = region;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    ByteBuffer buffer = buffers.take(payload.bufferSize());
    try (FileBody body = payload.open()) {
      for (boolean last = false; !last; ) {
        last = body.fill(buffer.clear());
        region.enter();
        out.write(buffer.array(), 0, buffer.position());
      }
    } finally {
      buffers.give(buffer);
    }
  }

  @Override
  public long getContentLength() {
    return payload.length();
  }

  /** It is written once, and never read. */
  @Override
  public boolean isStreaming() {
    return true;
  }

  @Override
  public InputStream getContent() {
    throw new UnsupportedOperationException("a file is written, not read");
  }

  @Override
  public void close() {}
}
