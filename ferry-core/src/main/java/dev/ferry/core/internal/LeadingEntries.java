package dev.ferry.core.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.StoreRule;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a directory that are the paths of rules or lead there. The store is asked for
 * these alone, so a list takes no longer than there are rules, however large the directory is.
 */
public final class LeadingEntries implements Listing {
  private final FileStore store;
  private final StorePath directory;
  private final Iterator<StorePath> paths;
  private volatile boolean closed;

  private LeadingEntries(FileStore store, StorePath directory, Iterator<StorePath> paths) {
    this.store = store;
    this.directory = directory;
    this.paths = paths;
  }

  /**
   * Opens a listing.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} unless it is a directory
   */
  public static Listing open(FileStore store, StorePath directory, List<StoreRule> rules)
      throws FerryException {
    if (!store.stat(directory, false).directory()) {
      throw new FerryException(ErrorKind.NOT_FOUND, directory + ": is a file, not a folder");
    }
    Iterator<StorePath> paths =
        rules.stream()
            .map(StoreRule::path)
            .filter(path -> path.isWithin(directory) && !path.equals(directory))
            .map(path -> entry(directory, path))
            .distinct()
            .sorted(Comparator.comparing(LeadingEntries::utf8, Arrays::compareUnsigned))
            .iterator();
    return new LeadingEntries(store, directory, paths);
  }

  /** Returns the entry of a directory through which a path below it leads. */
  private static StorePath entry(StorePath directory, StorePath below) {
    int start = directory.value().isEmpty() ? 0 : directory.value().length() + 1;
    int end = below.value().indexOf('/', start);
    return end < 0 ? below : new StorePath(below.value().substring(0, end));
  }

  private static byte[] utf8(StorePath path) {
    return path.value().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public @Nullable FileFacts next() throws FerryException {
    while (paths.hasNext()) {
      if (closed) {
        throw new FerryException(ErrorKind.CANCELLED, directory + ": the listing was closed");
      }
      try {
        return store.stat(paths.next(), false).withVersion(null);
      } catch (FerryException e) {
        // Not an entry of the store, as a rule may be about a file that does not exist.
      }
    }
    return null;
  }

  @Override
  public void close() {
    closed = true;
  }
}
