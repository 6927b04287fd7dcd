package dev.ferry.cli.tree;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a directory of a server, in the order of their names. They are listed in batches,
 * so that no list waits for what is done with its entries, and memory is bounded for directories of
 * any size. One thread at a time.
 */
public final class RemoteFolder {
  /** Entries of one batch. For the next one, the directory is listed again. */
  private static final int BATCH = 100_000;

  /** Lists a directory, again after a failure if the options of the command say so. */
  @FunctionalInterface
  public interface Lister {
    /**
     * Lists a directory, as {@link dev.ferry.core.Carrier#list(StorePath, Predicate)} does.
     *
     * @param attempts returns what receives the entries of an attempt; called once for each
     */
    void list(StorePath directory, Supplier<Predicate<FileFacts>> attempts) throws FerryException;
  }

  /** Receives the entries of one attempt. */
  private static final class Batch implements Predicate<FileFacts> {
    private final ListPosition position;
    private final List<FileFacts> entries = new ArrayList<>();

    /**
     * @param position where the batch begins
     */
    Batch(ListPosition position) {
      this.position = position;
    }

    @Override
    public boolean test(FileFacts entry) {
      if (position.moveTo(entry)) {
        entries.add(entry);
      }
      return position.isOrdered() && entries.size() < BATCH;
    }
  }

  private final Lister lister;
  private final StorePath directory;
  private Batch batch = new Batch(new ListPosition());
  private int next;

  private RemoteFolder(Lister lister, StorePath directory) {
    this.lister = lister;
    this.directory = directory;
  }

  /** Reads the first entries of a directory. */
  public static RemoteFolder open(Lister lister, StorePath directory) throws FerryException {
    RemoteFolder folder = new RemoteFolder(lister, directory);
    folder.read();
    return folder;
  }

  /**
   * Returns the next entry; null if there are no more.
   *
   * @throws FerryException with {@link ErrorKind#INTERNAL} if the server does not list in order:
   *     what is left out by that would be taken for missing
   */
  public @Nullable FileFacts next() throws FerryException {
    if (next == BATCH) {
      read();
    }
    return next == batch.entries.size() ? null : batch.entries.get(next++);
  }

  private void read() throws FerryException {
    ListPosition done = batch.position;
    lister.list(directory, () -> batch = new Batch(done.again()));
    next = 0;
    if (!batch.position.isOrdered()) {
      throw new FerryException(
          ErrorKind.INTERNAL,
          directory + "/: the server lists '" + batch.position.last() + "' in the wrong place");
    }
  }

  /**
   * Returns the last name of an entry.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_PATH} if it cannot be in the directory: a
   *     hostile server could choose a name that leads elsewhere
   */
  public String name(FileFacts entry) throws FerryException {
    StorePath path = StorePath.parse(entry.name());
    if (!path.parent().equals(directory)) {
      throw new FerryException(
          ErrorKind.INVALID_PATH,
          directory + ": the server lists '" + path + "' there, which is somewhere else");
    }
    return path.name();
  }
}
