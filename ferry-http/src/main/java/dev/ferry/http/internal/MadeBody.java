package dev.ferry.http.internal;

import dev.ferry.core.FerryException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;

/** A body that is made while it is sent, such as a list: a piece of it when there is space. */
public abstract class MadeBody implements OutgoingBody {
  /** Receives the pieces, in an array that is reused. */
  protected final ByteArrayOutputStream out;

  private final Pending pending = new Pending();
  private boolean ended;

  protected MadeBody() {
    out = pending;
  }

  /**
   * Makes the next piece, which may be empty.
   *
   * @return whether it was the last
   */
  protected abstract boolean writeNext() throws FerryException;

  @Override
  public final boolean fill(ByteBuffer buffer, BooleanSupplier enough) throws FerryException {
    pending.moveTo(buffer);
    while (buffer.hasRemaining() && !ended) {
      ended = writeNext();
      pending.moveTo(buffer);
      if (enough.getAsBoolean()) {
        break;
      }
    }
    return ended && !pending.isReadable();
  }

  /** Holds bytes that do not fit into a buffer yet. */
  private static final class Pending extends ByteArrayOutputStream {
    private int read;

    boolean isReadable() {
      return read < count;
    }

    /** Moves as many bytes as there is room for. */
    void moveTo(ByteBuffer buffer) {
      int bytes = Math.min(buffer.remaining(), count - read);
      buffer.put(buf, read, bytes);
      read += bytes;
      if (read == count) {
        read = 0;
        reset();
      }
    }
  }
}
