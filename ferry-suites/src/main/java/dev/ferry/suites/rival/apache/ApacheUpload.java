package dev.ferry.suites.rival.apache;

import dev.ferry.suites.rival.Buffers;
import dev.ferry.suites.rival.SentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.jspecify.annotations.Nullable;

/** A file as the body of an asynchronous request of Apache's client, through one buffer. */
final class ApacheUpload implements AsyncEntityProducer {
  private final SentFile file;
  private final Buffers buffers;
  private @Nullable ByteBuffer buffer;
  private boolean last;

  ApacheUpload(SentFile file, Buffers buffers) {
    this.file = file;
    this.buffers = buffers;
  }

  @Override
  public int available() {
    return Integer.MAX_VALUE;
  }

  @Override
  public synchronized void produce(DataStreamChannel channel) throws IOException {
    ByteBuffer current = buffer;
    if (current == null) {
      current = buffers.take(file.bufferSize()).limit(0);
      buffer = current;
    }
    while (true) {
      if (!current.hasRemaining()) {
        if (last) {
          channel.endStream();
          return;
        }
        last = file.fill(current.clear());
        current.flip();
      }
      if (current.hasRemaining() && channel.write(current) == 0) {
        // The window is full; the client calls again.
        return;
      }
    }
  }

  @Override
  public synchronized void releaseResources() {
    if (buffer != null) {
      buffers.give(buffer);
      buffer = null;
    }
  }

  @Override
  public boolean isRepeatable() {
    return false;
  }

  @Override
  public void failed(Exception cause) {
    releaseResources();
  }

  @Override
  public long getContentLength() {
    return file.length();
  }

  @Override
  public @Nullable String getContentType() {
    return null;
  }

  @Override
  public @Nullable String getContentEncoding() {
    return null;
  }

  @Override
  public boolean isChunked() {
    return false;
  }

  @Override
  public Set<String> getTrailerNames() {
    return Set.of();
  }
}
