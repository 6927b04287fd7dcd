package dev.ferry.core.local;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * A local directory's entries. It reads the whole directory, keeps the first names of it, and reads
 * it again when these were given, if there were more. An entry's facts are read when it is asked
 * for. The directory is open only while it is read, so that a slow reader holds no descriptor.
 */
final class DirectoryListing implements Listing {
  /** Memory that is taken from the room at once. */
  private static final int STEP_KIB = 16;

  /** Where the facts of an entry come from. */
  @FunctionalInterface
  interface Entries {
    /** The facts of an entry; null where the store has none of that name. */
    @Nullable FileFacts facts(String name);
  }

  private final Path folder;
  private final String name;
  private final Entries entries;
  private final Semaphore room;
  private final long mostBytes;
  private Iterator<byte[]> names = Collections.emptyIterator();
  private byte @Nullable [] last;
  private boolean more = true;
  private volatile boolean closed;
  private int takenKib;

  private DirectoryListing(
      Path folder, StorePath path, Entries entries, Semaphore room, long mostBytes) {
    this.folder = folder;
    this.name = path.value().isEmpty() ? "/" : path.value();
    this.entries = entries;
    this.room = room;
    this.mostBytes = mostBytes;
  }

  /**
   * Reads the directory's first names.
   *
   * @param path what its users call it
   * @param room a permit for each KiB that all listings of a store may hold together
   * @param mostBytes memory that this one's names take at most
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} unless it is a directory, with {@link
   *     ErrorKind#OVERLOADED} where there is no room
   */
  static DirectoryListing open(
      Path folder, StorePath path, Entries entries, Semaphore room, long mostBytes)
      throws FerryException {
    DirectoryListing listing = new DirectoryListing(folder, path, entries, room, mostBytes);
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
      byte[] utf8 = names.next();
      // Names that the locale cannot express may look the same.
      if (!Arrays.equals(utf8, last)) {
        last = utf8;
        FileFacts facts = entries.facts(new String(utf8, StandardCharsets.UTF_8));
        if (facts != null) {
          return facts;
        }
      }
    }
  }

  /** Reads the names behind the last one that was given. */
  private void readNames() throws FerryException {
    names = Collections.emptyIterator();
    NameSelection selection = new NameSelection(mostBytes);
    byte[] after = last;
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      for (Path entry : stream) {
        requireOpen();
        byte[] utf8 = String.valueOf(entry.getFileName()).getBytes(StandardCharsets.UTF_8);
        if (after == null || NameSelection.ORDER.compare(utf8, after) > 0) {
          selection.add(utf8);
          takeRoom(selection.bytes());
        }
      }
    } catch (NotDirectoryException e) {
      throw new FerryException(ErrorKind.NOT_FOUND, name + ": is a file, not a folder", e);
    } catch (DirectoryIteratorException e) {
      throw FerryException.of(Objects.requireNonNull(e.getCause()), name);
    } catch (IOException e) {
      throw FerryException.of(e, name);
    }
    names = selection.sorted().iterator();
    more = !selection.whole();
  }

  private void requireOpen() throws FerryException {
    if (closed) {
      throw new FerryException(ErrorKind.CANCELLED, name + ": the listing was closed");
    }
  }

  private synchronized void takeRoom(long bytes) throws FerryException {
    while (takenKib * 1024L < bytes) {
      requireOpen();
      if (!room.tryAcquire(STEP_KIB)) {
        throw new FerryException(
            ErrorKind.OVERLOADED,
            name + ": the server is giving too many long lists; try again in a moment");
      }
      takenKib += STEP_KIB;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    room.release(takenKib);
    takenKib = 0;
  }
}
