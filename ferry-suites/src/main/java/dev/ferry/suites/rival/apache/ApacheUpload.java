package dev.ferry.suites.rival.apache;

import dev.ferry.http.internal.CopyBuffers;
import dev.ferry.http.internal.FileBody;
import dev.ferry.http.internal.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import org.apache.hc.core5.http.nio.AsyncEntityProducer;
import org.apache.hc.core5.http.nio.DataStreamChannel;
import org.jspecify.annotations.Nullable;

/** A file as the body of an asynchronous request of Apache's client, through one buffer. */
final class ApacheUpload implements AsyncEntityProducer {
  private final Payload payload;
  private final CopyBuffers buffers;
  private @Nullable FileBody body;
  private @Nullable ByteBuffer buffer;
  private boolean last;

  ApacheUpload(Payload payload, CopyBuffers buffers) {
    this.payload = payload;
    this.buffers = buffers;
  }

  @Override
  public int available() {
    return Integer.MAX_VALUE;
  }

  @Override
  public synchronized void produce(DataStreamChannel channel) throws IOException {
    FileBody open = body;
    ByteBuffer current = buffer;
    if (open == null || current == null) {
      open = payload.open();
      current = buffers.take(payload.bufferSize()).limit(0);
      body = open;
      buffer = current;
    }
    while (true) {
      if (!current.hasRemaining()) {
        if (last) {
          channel.endStream();
          return;
        }
        last = open.fill(current.clear());
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
    if (body != null) {
      body.close();
    }
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
    return payload.length();
  }

  @Override
  public @Nullable String getContentType() {
    // It stands among the fields, and so does the encoding.
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
