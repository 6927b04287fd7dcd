package dev.ferry.suites.rival;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A body of a blocking client that any thread can close at once, without reading the rest. The
 * clients themselves read such a body to its end, and let only its reader close it. Read on the
 * thread that made it.
 */
public class EndingStream extends FilterInputStream {
  private final Runnable cancel;
  private final Thread reader = Thread.currentThread();
  private volatile boolean ended;

  public EndingStream(InputStream body, Runnable cancel) {
    super(body);
    this.cancel = cancel;
  }

  @Override
  public int read() throws IOException {
    int b = super.read();
    if (b < 0) {
      ended();
    }
    return b;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int n = super.read(bytes, offset, length);
    if (n < 0) {
      ended();
    }
    return n;
  }

  /** The body was read to its end. */
  public final void ended() {
    ended = true;
  }

  @Override
  public void close() throws IOException {
    if (ended) {
      super.close();
      return;
    }
    cancel.run();
    if (Thread.currentThread() == reader) {
      closeCancelled();
    }
  }

  private void closeCancelled() {
    try {
      super.close();
    } catch (IOException e) {
      // Closing it here means to cut it off.
      return;
    }
  }
}
