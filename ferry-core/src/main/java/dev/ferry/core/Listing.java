package dev.ferry.core;

import java.io.Closeable;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a directory, read as they are asked for: memory is bounded, however many there
 * are.
 *
 * <p>They come in the order of their names' Unicode code points, which is that of the names' bytes
 * in UTF-8. What is created or deleted meanwhile may be among them or not.
 *
 * <p>For one thread at a time, but for {@link #close}.
 */
public interface Listing extends Closeable {
  /**
   * The next entry; blocks on the disk.
   *
   * @return null where there are no more
   * @throws FerryException with {@link ErrorKind#CANCELLED} once it is closed
   */
  @Nullable FileFacts next() throws FerryException;

  /** Gives up what was not read; on any thread, once or more often. */
  @Override
  void close();
}
