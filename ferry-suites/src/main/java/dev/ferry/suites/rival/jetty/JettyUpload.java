package dev.ferry.suites.rival.jetty;

import dev.ferry.core.FerryException;
import dev.ferry.http.internal.CopyBuffers;
import dev.ferry.http.internal.FileBody;
import dev.ferry.http.internal.Payload;
import java.nio.ByteBuffer;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/** A file that Jetty's client pulls, buffer by buffer, in buffers that are reused. */
final class JettyUpload implements Request.Content {
  private final Payload payload;
  private final int bufferSize;
  private final CopyBuffers buffers;
  private @Nullable FileBody body;
  private Content.@Nullable Chunk end;

  JettyUpload(Payload payload, int bufferSize, CopyBuffers buffers) {
    this.payload = payload;
    this.bufferSize = bufferSize;
    this.buffers = buffers;
  }

  @Override
  public long getLength() {
    return payload.length();
  }

  @Override
  public @Nullable String getContentType() {
    // It stands among the fields.
    return null;
  }

  @Override
  public synchronized Content.Chunk read() {
    if (end != null) {
      return end;
    }
    FileBody open = body;
    if (open == null) {
      open = payload.open();
      body = open;
    }
    ByteBuffer buffer = buffers.take(bufferSize);
    try {
      boolean last = open.fill(buffer);
      if (last) {
        end = Content.Chunk.EOF;
        open.close();
      }
      return Content.Chunk.from(buffer.flip(), last, () -> buffers.give(buffer));
    } catch (FerryException | RuntimeException e) {
      buffers.give(buffer);
      end = Content.Chunk.from(e, true);
      open.close();
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
    if (body != null) {
      body.close();
    }
  }
}
