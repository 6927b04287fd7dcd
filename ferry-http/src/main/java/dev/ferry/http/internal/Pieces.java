package dev.ferry.http.internal;

import dev.ferry.core.FerryException;
import java.io.Closeable;
import java.nio.ByteBuffer;

/** A body that is sent, pulled piece by piece, by one thread at a time. */
public interface Pieces extends Closeable {
  /**
   * Fills what remains of a buffer, as far as the body goes.
   *
   * @return whether this was the last piece, which may be empty
   */
  boolean fill(ByteBuffer piece) throws FerryException;

  /** Lets go of what the body is made from; again, too. */
  @Override
  void close();
}
