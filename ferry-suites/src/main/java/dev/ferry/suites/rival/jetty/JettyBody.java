package dev.ferry.suites.rival.jetty;

import dev.ferry.suites.rival.BufferStream;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/** A body that Jetty's client reads on demand. */
final class JettyBody extends BufferStream {
  private final Content.Source source;
  private final Runnable abort;
  private final Semaphore available = new Semaphore(0);

  /**
   * @param abort ends the exchange
   */
  JettyBody(Content.Source source, Runnable abort) {
    this.source = source;
    this.abort = abort;
  }

  @Override
  public @Nullable PooledBuffer next(boolean wait) throws IOException {
    while (!hasEnded()) {
      Content.Chunk chunk = source.read();
      if (chunk == null) {
        if (!wait) {
          return null;
        }
        source.demand(available::release);
        await();
      } else if (Content.Chunk.isFailure(chunk)) {
        Throwable failure = chunk.getFailure();
        throw new IOException(failure.getMessage(), failure);
      } else {
        if (chunk.isLast()) {
          ended();
        }
        if (chunk.hasRemaining()) {
          return new PooledBuffer(chunk.getByteBuffer(), chunk::release);
        }
        chunk.release();
      }
    }
    return null;
  }

  private void await() throws IOException {
    try {
      available.acquire();
    } catch (InterruptedException e) {
      abandon();
      Thread.currentThread().interrupt();
      throw new ClosedByInterruptException();
    }
    requireOpen();
  }

  @Override
  public void abandon() {
    if (!hasEnded()) {
      abort.run();
    }
    available.release();
  }
}
