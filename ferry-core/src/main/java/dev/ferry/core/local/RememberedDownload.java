package dev.ferry.core.local;

import dev.ferry.core.Crc32c;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Outage;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.CallerShares;
import dev.ferry.core.internal.StateFile;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has arrived of a download, for a later process that downloads the same file to the same
 * target. A small {@link StateFile} has what is known of the server's file, and the name of the
 * temporary file. It is locked while the download runs: a second process that downloads the same
 * file to the same target at that time begins with the first byte, in a temporary file of its own.
 *
 * <p>The bytes of a temporary file have arrived in order, so its length says where the download
 * goes on. After a power cut it may have lost bytes, which the digest of the whole file shows.
 *
 * <p>Failures to read or write the state file are ignored: the download then begins with its first
 * byte. What was not used for a week is deleted. One thread at a time.
 */
public final class RememberedDownload implements AutoCloseable {
  /** Words of the first line of the state file. */
  private static final int FACTS = 4;

  private static final String NO_MODE = "-";

  private final Path target;
  private final StateFile state;
  private boolean remembers;

  /** Whether the download goes on with what an earlier process has received. */
  private boolean adopted;

  /** What an earlier process has received, open to be continued in parts. */
  record Arrived(Path temporary, LocalFileSink file, FileFacts facts) {
    /** Reads the file for the checksum of its first part. Its rest may arrive meanwhile. */
    void addChecksum(long bytes) throws FerryException {
      try {
        file.addFirst(Crc32c.ofFirst(temporary, bytes));
      } catch (IOException e) {
        throw FerryException.of(e, facts.name());
      }
    }
  }

  /**
   * Creates the memory of one download. It touches no file before it is used.
   *
   * @param folder a folder for such files alone, which is made if it does not exist; null remembers
   *     nothing
   * @param server the server's name, as {@code host:port}
   * @param path the file there
   * @param target the local file
   */
  public RememberedDownload(@Nullable Path folder, String server, StorePath path, Path target) {
    this.target = target.toAbsolutePath();
    this.state = new StateFile(folder, List.of(server, path.value(), this.target.toString()));
  }

  /** The memory of a download that is not to be continued by a later process. */
  static RememberedDownload none(StorePath path, Path target) {
    return new RememberedDownload(null, "", path, target);
  }

  /** Whether a later process can go on with the temporary file of the download. */
  public boolean remembers() {
    return remembers;
  }

  /**
   * Whether another attempt with nothing of what an earlier process has received may succeed after
   * this failure.
   */
  boolean failedByEarlier(FerryException failure) {
    return adopted
        && switch (failure.kind()) {
          // The server gives no such part, or bytes were lost by a power cut.
          case FILE_CHANGED, INVALID_REQUEST, DIGEST_MISMATCH -> true;
          default -> false;
        };
  }

  /**
   * Whether a later process is to go on after this failure: the server could not be reached, or the
   * user has cancelled the download.
   */
  boolean remembersAfter(FerryException failure) {
    boolean mayGoOn =
        switch (failure.kind()) {
          case UNAVAILABLE, OVERLOADED, UNAUTHENTICATED, CANCELLED -> true;
          default -> failure.outage() != null && failure.outage() != Outage.OVERDUE;
        };
    return remembers && mayGoOn;
  }

  /**
   * Opens what an earlier process has received. The temporary file gets a name of this process.
   *
   * @param transfer decides what the complete file is like
   * @return null if there is nothing to go on with
   */
  @Nullable Arrived adopt(TransferOptions transfer) {
    adopted = false;
    List<String> lines = state.exists() && state.open() ? state.read() : List.of();
    Path left = lines.isEmpty() ? null : left(lines);
    FileFacts facts = left == null ? null : facts(lines.get(0));
    if (left == null || facts == null) {
      return null;
    }
    SinkOptions options = transfer.sink(facts);
    try {
      long length = Files.size(left);
      if (length == 0 || length > facts.size() || hasOtherName(left)) {
        // It has no bytes, or other ones, or was killed just when it got its second name.
        Files.delete(left);
        return null;
      }
      Path own = TemporaryNames.freshKept(folder());
      // A process that is killed between these steps leaves one of both names.
      remembers = state.write(List.of(lines.get(0), name(own), name(left)));
      Files.move(left, own, StandardCopyOption.ATOMIC_MOVE);
      Files.setLastModifiedTime(own, FileTime.from(Instant.now()));
      FileChannel channel =
          FileChannel.open(own, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      String label = target.toString();
      ReceiveBudget.Share share =
          new ReceiveBudget(options.limits(), Disk.LOCAL)
              .open(CallerShares.NOBODY, label, folder());
      LocalFileSink file =
          LocalFileSink.continued(
              target, facts.name(), label, own, channel, options, share, length, null);
      adopted = true;
      return new Arrived(own, file, facts);
    } catch (IOException e) {
      System.getLogger(RememberedDownload.class.getName())
          .log(Level.DEBUG, "the download starts again", e);
      return null;
    }
  }

  /** Whether the file has another name as well: it may be complete, and be the user's. */
  private boolean hasOtherName(Path left) throws IOException {
    try {
      Object names = Files.getAttribute(left, "unix:nlink", LinkOption.NOFOLLOW_LINKS);
      return names instanceof Integer count && count > 1;
    } catch (UnsupportedOperationException e) {
      return Files.exists(target) && Files.isSameFile(left, target);
    }
  }

  /** Returns the line of the state file from which {@link #facts} reads the same facts. */
  private static String line(FileFacts facts) {
    Integer mode = facts.mode();
    return facts.size()
        + " "
        + facts.lastModified().toEpochMilli()
        + " "
        + (mode == null ? NO_MODE : mode)
        + " "
        + facts.version();
  }

  private @Nullable FileFacts facts(String line) {
    String[] words = line.split(" ", FACTS);
    try {
      return words.length < FACTS
          ? null
          : new FileFacts(
                  LocalFileSink.nameOf(target),
                  Long.parseLong(words[0]),
                  Instant.ofEpochMilli(Long.parseLong(words[1])),
                  false,
                  null)
              .withMode(words[2].equals(NO_MODE) ? null : Integer.valueOf(words[2]))
              .withVersion(words[FACTS - 1]);
    } catch (IllegalArgumentException e) {
      // The file is damaged.
      return null;
    }
  }

  /**
   * Returns the temporary file of a process that no longer runs. One of this process, or of one
   * that cannot be seen, is not used either, since the state file is locked.
   */
  private @Nullable Path left(List<String> lines) {
    for (String name : lines.subList(1, lines.size())) {
      boolean free = TemporaryNames.isOfNoneRunning(name) || TemporaryNames.isOwn(name);
      if (TemporaryNames.isKept(name) && free) {
        Path file = folder().resolve(name);
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          return file;
        }
      }
    }
    return null;
  }

  /**
   * Chooses the temporary file of a download that begins.
   *
   * @param folder the folder of the target
   * @param remote the facts of the server's file
   */
  Path begin(Path folder, FileFacts remote) {
    String version = remote.version();
    if (remote.size() < StateFile.LEAST_SIZE || version == null || !state.open()) {
      return TemporaryNames.fresh(folder);
    }
    deleteLeft();
    Path own = TemporaryNames.freshKept(folder);
    remembers = state.write(List.of(line(remote), name(own)));
    return remembers ? own : TemporaryNames.fresh(folder);
  }

  private void deleteLeft() {
    List<String> lines = state.read();
    Path left = lines.isEmpty() ? null : left(lines);
    try {
      if (left != null) {
        Files.delete(left);
      }
    } catch (IOException e) {
      // It is swept in a week.
      return;
    }
  }

  private Path folder() {
    Path folder = target.getParent();
    return folder == null ? target : folder;
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  /** Forgets the download, and deletes what is left of it: there is nothing to continue. */
  public void forget() {
    remembers = false;
    if (state.exists() && state.open()) {
      deleteLeft();
      state.delete();
    }
  }

  /** Leaves what has arrived to a later process. */
  @Override
  public void close() {
    state.close();
  }
}
