package dev.ferry.core;

import java.io.Closeable;
import org.jspecify.annotations.Nullable;

/**
 * A lazy iterator over the entries of a directory. Memory is bounded for directories of any size.
 *
 * <p>Entries are in the order of the Unicode code points of their names, which is the order of
 * their UTF-8 bytes. Entries that are created or deleted during the listing may be included or not.
 *
 * <p>A listing is complete: entries that cannot be transferred are included, with the {@linkplain
 * FileFacts#leftOut reason}. Those without a name that can be requested stand where their bytes
 * sort. Only Ferry's temporary files are not listed.
 *
 * <p>One thread at a time, except for {@link #close}.
 */
public interface Listing extends Closeable {
  /**
   * Returns the next entry. Blocks on the disk.
   *
   * @return null if there are no more entries
   * @throws FerryException with {@link ErrorKind#CANCELLED} if the listing is closed
   */
  @Nullable FileFacts next() throws FerryException;

  /** Closes the listing. Any thread may call this, more than once. */
  @Override
  void close();
}
