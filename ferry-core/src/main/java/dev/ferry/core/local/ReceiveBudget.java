package dev.ferry.core.local;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.internal.CallerShares;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Divides the capacity of {@link ReceiveLimits} among files that are received at the same time.
 *
 * <p>A file with an announced size is rejected at the beginning if there is no room for it. It then
 * reserves all of it, or as much as the {@linkplain CallerShares share} of its holder permits: who
 * announces much and sends nothing leaves room to others. Files without an announced size reserve a
 * few MiB ahead, repeatedly. What is not reserved needs room when it comes. Each reservation
 * queries the disk, because other processes write to it as well. Thread-safe.
 */
final class ReceiveBudget {
  /** Bytes between two queries of the disk. A query costs as much as a small write. */
  private static final long STEP = 4 * 1024 * 1024;

  /**
   * A file without an announced size reserves at most 1/8 of the remaining capacity ahead, so that
   * the last bytes are reserved in small steps.
   */
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
   * @param holder whose share it counts for
   * @param name the file's name in messages
   * @param folder the folder where the file is written
   */
  Share open(String holder, String name, Path folder) {
    return new Share(holder, name, folder);
  }

  /** The reservation of one file. One thread at a time. */
  final class Share {
    private final String holder;
    private final String name;
    private final Path folder;

    /** Key of the disk at the last query. */
    private @Nullable Object diskKey;

    /**
     * Bytes reserved for the file, including those already written. Guarded by the lock of the
     * budget.
     */
    private long granted;

    private long announced = -1;
    private long nextLook;
    private volatile long written;

    private Share(String holder, String name, Path folder) {
      this.holder = holder;
      this.name = name;
      this.folder = folder;
    }

    String holder() {
      return holder;
    }

    /**
     * Announces the size of the file.
     *
     * @throws FerryException if the limits do not allow it
     */
    void announce(long size) throws FerryException {
      announced = size;
      look(0);
    }

    /**
     * Reserves space for growing the file to this size.
     *
     * @throws FerryException if the limits do not allow it, or if it exceeds the announced size
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

    /**
     * @param size that the file is to have now; 0 at the beginning, when all that is announced must
     *     have room, as it must later if all of it is reserved
     */
    private void look(long size) throws FerryException {
      long needed = size == 0 || granted == announced ? Math.max(size, announced) : size;
      if (needed > limits.maxFileSize()) {
        throw new FerryException(
            ErrorKind.TOO_LARGE, name + ": over the limit of " + limits.maxFileSize() + " bytes");
      }
      if (isAlone()) {
        nextLook = limits.maxFileSize();
        return;
      }
      Disk.@Nullable Space room = limits.keepsFree() ? disk.look(folder) : null;
      synchronized (ReceiveBudget.this) {
        long most = Math.min(limits.maxFileSize(), receivable(needed));
        if (room != null) {
          most = Math.min(most, storable(needed, room));
          diskKey = room.key();
        }
        long base = Math.max(size, written);
        long wanted =
            announced >= 0 ? announced - base : Math.min(STEP, (most - base) / STEPS_IN_REST);
        long share = CallerShares.most(holder, most - base, aheadOfOthers());
        // What was reserved stays so, whatever others have reserved meanwhile.
        granted = Math.max(base + Math.min(wanted, share), Math.min(granted, most));
        shares.add(this);
      }
      nextLook = Math.min(granted, size + STEP);
    }

    /** The bytes that other files of the holder have reserved on this disk and not written. */
    private long aheadOfOthers() {
      long ahead = 0;
      for (Share share : shares) {
        if (share != this
            && share.holder.equals(holder)
            && Objects.equals(share.diskKey, diskKey)) {
          ahead += share.granted - share.written;
        }
      }
      return ahead;
    }

    /** Maximum size of the file, given the other files that are being received. */
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

    /** Maximum size of the file on its disk, given the other reservations on that disk. */
    private long storable(long needed, Disk.Space room) throws FerryException {
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

    /** Records the size of the file. */
    void wrote(long size) {
      written = size;
    }

    /**
     * Reserves what the file has, and no more: it is not received any more, and may be continued.
     */
    void keep(long size) {
      written = size;
      announced = -1;
      nextLook = 0;
      synchronized (ReceiveBudget.this) {
        granted = size;
        shares.add(this);
      }
    }

    /** Releases the reservation. May be called more than once. */
    void close() {
      synchronized (ReceiveBudget.this) {
        shares.remove(this);
      }
    }
  }

  /** Whether files cannot limit each other, because neither limit is set. */
  private boolean isAlone() {
    return !limits.keepsFree() && limits.maxReceiving() == Long.MAX_VALUE;
  }
}
