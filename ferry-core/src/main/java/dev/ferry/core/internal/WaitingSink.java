package dev.ferry.core.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A sink whose writes wait for the caller's own code, and can be interrupted. */
final class WaitingSink extends ForwardingSink {
  private final String name;

  // The lock of this object guards the following.
  private @Nullable Thread writing;
  private boolean interrupted;

  /**
   * @param name of the file, for messages
   */
  WaitingSink(FileSink sink, String name) {
    super(sink);
    this.name = name;
  }

  @Override
  public void write(ByteBuffer source) throws FerryException {
    begin();
    try {
      super.write(source);
    } finally {
      end();
    }
  }

  @Override
  public void write(ByteBuffer[] sources, int offset, int count) throws FerryException {
    begin();
    try {
      super.write(sources, offset, count);
    } finally {
      end();
    }
  }

  private synchronized void begin() throws FerryException {
    if (interrupted) {
      throw new FerryException(ErrorKind.CANCELLED, name + ": cancelled");
    }
    writing = Thread.currentThread();
  }

  private synchronized void end() {
    writing = null;
    if (interrupted) {
      // The thread may have another task next.
      boolean unused = Thread.interrupted();
    }
  }

  /** Interrupts a write, and has later ones fail. */
  synchronized void interrupt() {
    interrupted = true;
    if (writing != null) {
      writing.interrupt();
    }
  }
}
