package dev.ferry.http.internal;

import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A body to send, pulled buffer by buffer, by one thread at a time. */
public interface OutgoingBody extends Closeable {
  /**
   * Fills the remaining space of a buffer unless the body ends before.
   *
   * @return whether this was the last buffer, which may be empty
   */
  default boolean fill(ByteBuffer buffer) throws FerryException {
    return fill(buffer, () -> false);
  }

  /**
   * Fills the remaining space of a buffer unless the body ends before, or it is enough for now. A
   * body of which much makes little, such as zeros that are compressed, would take long to fill it.
   *
   * @param enough asked after each piece that was read; if true, the buffer may have any number of
   *     bytes, or none, and is filled by the next calls
   * @return whether the body has ended
   */
  boolean fill(ByteBuffer buffer, BooleanSupplier enough) throws FerryException;

  /** Returns the digest that follows the body as a trailer field, after the last buffer. */
  default @Nullable Digest trailingDigest() throws FerryException {
    return null;
  }

  /** Releases the resources of the body. Further calls have no effect. */
  @Override
  void close();
}
