package dev.ferry.suites.rival.jetty;

import dev.ferry.suites.rival.Buffers;
import dev.ferry.suites.rival.SentFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/** A file that Jetty's client pulls, buffer by buffer, in buffers that are reused. */
final class JettyUpload implements Request.Content {
  private final SentFile file;
  private final int bufferSize;
  private final Buffers buffers;
  private Content.@Nullable Chunk end;

  JettyUpload(SentFile file, int bufferSize, Buffers buffers) {
    this.file = file;
    this.bufferSize = bufferSize;
    this.buffers = buffers;
  }

  @Override
  public long getLength() {
    return file.length();
  }

  @Override
  public @Nullable String getContentType() {
    return null;
  }

  @Override
  public synchronized Content.Chunk read() {
    if (end != null) {
      return end;
    }
    ByteBuffer buffer = buffers.take(bufferSize);
    try {
      boolean last = file.fill(buffer);
      if (last) {
        end = Content.Chunk.EOF;
      }
      return Content.Chunk.from(buffer.flip(), last, () -> buffers.give(buffer));
    } catch (IOException | RuntimeException e) {
      buffers.give(buffer);
      end = Content.Chunk.from(e, true);
      return end;
    }
  }

  /** There is always something to read: a buffer, the end, or why there is none. */
  @Override
  public void demand(Runnable callback) {
    callback.run();
  }

  @Override
  public synchronized void fail(Throwable failure) {
    if (end == null) {
      end = Content.Chunk.from(failure, true);
    }
  }
}
