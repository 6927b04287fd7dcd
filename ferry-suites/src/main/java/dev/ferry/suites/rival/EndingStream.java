package dev.ferry.suites.rival;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A body of a blocking client that any thread can close at once, without reading the rest, and
 * whose reads an interrupt ends. The clients themselves read such a body to its end, let only its
 * reader close it, or ignore interrupts. Read on the thread that made it.
 */
public class EndingStream extends FilterInputStream {
  private final Runnable cancel;

  /** For other reads of a subclass. */
  protected final InterruptRegion region;

  private final Thread reader = Thread.currentThread();
  private volatile boolean ended;

  public EndingStream(InputStream body, Runnable cancel) {
    super(body);
    this.cancel = cancel;
    region = new InterruptRegion(cancel);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    region.enter();
    try {
      int n = super.read(bytes, offset, length);
      if (n < 0) {
        ended();
      }
      return n;
    } finally {
      region.leave();
    }
  }

  /** The body was read to its end. */
  public final void ended() {
    ended = true;
  }

  /** Whether the body was read to its end. */
  protected final boolean hasEnded() {
    return ended;
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
