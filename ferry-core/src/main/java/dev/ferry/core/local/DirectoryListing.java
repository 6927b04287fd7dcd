package dev.ferry.core.local;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.LocalNames;
import dev.ferry.core.internal.NameMemory;
import dev.ferry.core.internal.PlainText;
import dev.ferry.core.local.PathsBelowRoot.Use;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a local directory. It scans the whole directory and keeps the first names in
 * order. After these it scans again, if there were more. It reads the facts of an entry on demand.
 * The directory is open only during a scan, so a slow client holds no file descriptor.
 */
final class DirectoryListing implements Listing {
  /** Looks up the facts of entries. */
  @FunctionalInterface
  interface Entries {
    /** Returns the facts of an entry; null if there is no such entry any more. */
    @Nullable FileFacts facts(StorePath path) throws FerryException;

    /** Opens the folder for a scan. An implementation may first check that it may be read. */
    default DirectoryStream<Path> open(Use<DirectoryStream<Path>, IOException> scan)
        throws IOException {
      return scan.run();
    }
  }

  private final Path folder;
  private final StorePath path;
  private final String name;
  private final Entries entries;
  private final NameMemory.Share memory;
  private final long mostBytes;
  private Iterator<byte[]> names = Collections.emptyIterator();
  private byte @Nullable [] last;
  private boolean more = true;
  private volatile boolean closed;

  private DirectoryListing(
      Path folder,
      StorePath path,
      Entries entries,
      NameMemory memory,
      String holder,
      long mostBytes) {
    this.folder = folder;
    this.path = path;
    this.name = path.value().isEmpty() ? "/" : path.value();
    this.entries = entries;
    this.memory = memory.share(holder, name);
    this.mostBytes = mostBytes;
  }

  /**
   * Opens a listing and reads the first names.
   *
   * @param path the directory's path in the store, for messages
   * @param memory that of the names of all listings of a store
   * @param holder whose share of it the listing has
   * @param mostBytes maximum memory of this listing's names, in bytes
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} unless it is a directory, or with
   *     {@link ErrorKind#OVERLOADED} if there is not enough memory
   */
  static DirectoryListing open(
      Path folder,
      StorePath path,
      Entries entries,
      NameMemory memory,
      String holder,
      long mostBytes)
      throws FerryException {
    DirectoryListing listing =
        new DirectoryListing(folder, path, entries, memory, holder, mostBytes);
    try {
      listing.readNames();
      return listing;
    } catch (FerryException | RuntimeException | Error e) {
      listing.close();
      throw e;
    }
  }

  @Override
  public @Nullable FileFacts next() throws FerryException {
    while (true) {
      requireOpen();
      if (!names.hasNext()) {
        if (!more) {
          return null;
        }
        readNames();
        continue;
      }
      last = names.next();
      FileFacts facts = facts(last);
      if (facts != null) {
        return facts;
      }
    }
  }

  private @Nullable FileFacts facts(byte[] entry) throws FerryException {
    String text = LocalNames.text(entry);
    StorePath child;
    try {
      child = text == null ? null : StorePath.parse(path.child(text).value());
    } catch (FerryException e) {
      // No request can name it.
      child = null;
    }
    return child == null
        ? FileFacts.leftOut(path.child(PlainText.of(entry)).value(), LeftOut.NAME)
        : entries.facts(child);
  }

  /** Reads the names after the last returned one. */
  private void readNames() throws FerryException {
    names = Collections.emptyIterator();
    NameSelection selection = new NameSelection(mostBytes);
    byte[] after = last;
    try (DirectoryStream<Path> stream = entries.open(this::scan)) {
      for (Path entry : stream) {
        requireOpen();
        byte[] bytes = LocalNames.bytes(entry);
        if ((after == null || NameSelection.ORDER.compare(bytes, after) > 0)
            && !TemporaryNames.isFerrys(entry)) {
          selection.add(bytes);
          memory.growTo(selection.bytes());
        }
      }
    } catch (DirectoryIteratorException e) {
      throw FerryException.of(Objects.requireNonNull(e.getCause()), name);
    } catch (IOException e) {
      throw FerryException.of(e, name);
    }
    names = selection.sorted().iterator();
    more = !selection.whole();
  }

  private DirectoryStream<Path> scan() throws IOException {
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      // To open a named pipe would block.
      throw new FerryException(ErrorKind.NOT_FOUND, name + ": is a file, not a folder");
    }
    return Files.newDirectoryStream(folder);
  }

  private void requireOpen() throws FerryException {
    if (closed) {
      throw new FerryException(ErrorKind.CANCELLED, name + ": the listing was closed");
    }
  }

  @Override
  public void close() {
    closed = true;
    memory.close();
  }
}
