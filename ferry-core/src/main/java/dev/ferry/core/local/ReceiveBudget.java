package dev.ferry.core.local;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.ReceiveLimits;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Shares out what {@link ReceiveLimits} leave to the files that are being received at once.
 *
 * <p>A file whose size was announced gets its whole share at the beginning, or is refused; another
 * one gets some MiB ahead, again and again. The disk is looked at each time, since others write to
 * it as well. Thread-safe.
 */
final class ReceiveBudget {
  /** Bytes between two looks at the disk, which cost as much as a small write. */
  private static final long STEP = 4 * 1024 * 1024;

  /** Who gets a step leaves at least that many more to others: the last bytes go in small steps. */
  private static final int STEPS_IN_REST = 8;

  private final ReceiveLimits limits;
  private final Disk disk;
  private final Set<Share> shares = new HashSet<>();

  ReceiveBudget(ReceiveLimits limits, Disk disk) {
    this.limits = limits;
    this.disk = disk;
  }

  /**
   * Begins to receive a file.
   *
   * @param name what its user calls it
   * @param folder where it is written
   */
  Share open(String name, Path folder) {
    return new Share(name, folder);
  }

  /** What one file takes; for one thread at a time. */
  final class Share {
    private final String name;
    private final Path folder;

    /** Of the disk, as of the last look. */
    private @Nullable Object diskKey;

    /** Bytes that the file has or may come to have; the budget's lock guards it. */
    private long granted;

    private long announced = -1;
    private long nextLook;
    private volatile long written;

    private Share(String name, Path folder) {
      this.name = name;
      this.folder = folder;
    }

    /**
     * The file will have so many bytes.
     *
     * @throws FerryException where it cannot be taken
     */
    void announce(long size) throws FerryException {
      announced = size;
      look(0);
    }

    /**
     * The file is about to have so many bytes.
     *
     * @throws FerryException where that is too many
     */
    void grow(long size) throws FerryException {
      if (announced >= 0 && size > announced) {
        throw new FerryException(
            ErrorKind.INCOMPLETE, name + ": more than the " + announced + " announced bytes came");
      }
      if (size > nextLook) {
        look(size);
      }
    }

    private void look(long size) throws FerryException {
      long needed = Math.max(size, announced);
      if (needed > limits.maxFileSize()) {
        throw new FerryException(
            ErrorKind.TOO_LARGE, name + ": over the limit of " + limits.maxFileSize() + " bytes");
      }
      if (isAlone()) {
        nextLook = limits.maxFileSize();
        return;
      }
      Disk.@Nullable ConcurrencyLimiter room = limits.keepsFree() ? disk.look(folder) : null;
      synchronized (ReceiveBudget.this) {
        long most = Math.min(limits.maxFileSize(), receivable(needed));
        if (room != null) {
          most = Math.min(most, storable(needed, room));
          diskKey = room.key();
        }
        granted =
            announced >= 0 ? announced : needed + Math.min(STEP, (most - needed) / STEPS_IN_REST);
        shares.add(this);
      }
      nextLook = Math.min(granted, size + STEP);
    }

    /** Most bytes that the file can come to have beside what else is being received. */
    private long receivable(long needed) throws FerryException {
      long most = limits.maxReceiving();
      if (most == Long.MAX_VALUE) {
        return most;
      }
      if (needed > most) {
        throw new FerryException(
            ErrorKind.TOO_LARGE,
            name + ": over the limit of " + most + " bytes that are received at once");
      }
      long others = 0;
      for (Share share : shares) {
        others += share == this ? 0 : share.granted;
      }
      if (needed > most - others) {
        throw new FerryException(
            ErrorKind.OVERLOADED,
            name
                + ": would be over the limit of "
                + most
                + " bytes that are received at once; try again when other uploads have ended");
      }
      return most - others;
    }

    /** Most bytes that the file can come to have on its disk beside what else comes there. */
    private long storable(long needed, Disk.ConcurrencyLimiter room) throws FerryException {
      long left = room.usable() - limits.keptFreeOf(room.size());
      for (Share share : shares) {
        if (share != this && room.key().equals(share.diskKey)) {
          left -= share.granted - share.written;
        }
      }
      long more = needed - written;
      if (more > Math.max(left, 0)) {
        throw new FerryException(
            ErrorKind.OUT_OF_SPACE,
            name
                + ": no space left on the disk: "
                + more
                + " more bytes are needed, "
                + Math.max(left, 0)
                + " can be had; make room, or keep less free");
      }
      return left > Long.MAX_VALUE - written ? Long.MAX_VALUE : written + left;
    }

    /** The file has so many bytes. */
    void wrote(long size) {
      written = size;
    }

    /** The file is whole or given up; may be called again. */
    void close() {
      synchronized (ReceiveBudget.this) {
        shares.remove(this);
      }
    }
  }

  /** Whether no file is in another's way. */
  private boolean isAlone() {
    return !limits.keepsFree() && limits.maxReceiving() == Long.MAX_VALUE;
  }
}
