package dev.ferry.http.internal;

import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import java.io.Closeable;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A body to send, pulled buffer by buffer, by one thread at a time. */
public interface OutgoingBody extends Closeable {
  /**
   * Fills the remaining space of a buffer unless the body ends before.
   *
   * @return whether this was the last buffer, which may be empty
   */
  boolean fill(ByteBuffer buffer) throws FerryException;

  /** Returns the digest that follows the body as a trailer field, after the last buffer. */
  default @Nullable Digest trailingDigest() throws FerryException {
    return null;
  }

  /** Releases the resources of the body. Further calls have no effect. */
  @Override
  void close();
}
