package dev.ferry.core.local;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The open file of an {@link UploadRecord}. It is locked, because another process may serve the
 * same folder. The lock ends with the process at the latest.
 */
record UploadJournal(FileChannel channel) implements Closeable {
  /** Creates the file of a new upload, with its first entry. */
  static UploadJournal create(Path file, UploadRecord record) throws IOException {
    UploadJournal journal =
        open(file, record, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
    try {
      journal.append(record.begin());
      return journal;
    } catch (IOException | RuntimeException e) {
      journal.close();
      throw e;
    }
  }

  /**
   * Opens the file of an upload that goes on.
   *
   * @throws FerryException with {@link ErrorKind#UNAVAILABLE} if it is open already
   */
  static UploadJournal open(Path file, UploadRecord record) throws IOException {
    return open(file, record, StandardOpenOption.WRITE);
  }

  /**
   * Goes on behind the first entry, and drops what a process wrote that was killed before the file
   * got its name. Call this only while the bytes have their temporary name.
   */
  void dropNamed(UploadRecord record) throws IOException {
    int length = record.begin().remaining();
    FileChannel unused = channel.truncate(length).position(length);
  }

  private static UploadJournal open(Path file, UploadRecord record, StandardOpenOption... options)
      throws IOException {
    FileChannel channel = FileChannel.open(file, options);
    boolean locked = false;
    try {
      locked = channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      // Another store of this process has it.
      locked = false;
    } finally {
      if (!locked) {
        channel.close();
      }
    }
    if (!locked) {
      throw new FerryException(
          ErrorKind.UNAVAILABLE,
          record.path() + ": another server of this folder still receives it; try again");
    }
    return new UploadJournal(channel);
  }

  /** Writes down that the file is about to get its name. */
  void named(FileFacts facts) throws IOException {
    append(UploadRecord.named(facts));
  }

  private void append(ByteBuffer entry) throws IOException {
    while (entry.hasRemaining()) {
      int unused = channel.write(entry);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
