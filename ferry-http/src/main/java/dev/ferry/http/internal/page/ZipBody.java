package dev.ferry.http.internal.page;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.Compressibility;
import dev.ferry.core.internal.NameMemory;
import dev.ferry.http.internal.Closing;
import dev.ferry.http.internal.HttpCompression;
import dev.ferry.http.internal.MadeBody;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Files and folders as an archive, which is made while it is sent, with all below the folders.
 *
 * <p>An archive is whole or broken: a file that changes or fails while it is read fails the body,
 * so that the connection is cut before the directory at the archive's end. What can never be in it
 * is left out, and named in its comment: entries that are no files, and those that the caller may
 * not read.
 *
 * <p>A file that would not become smaller is not compressed. The memory of a body grows with the
 * number of entries, since the directory at the end has all of them. All bodies of a port share
 * what there is; one that begins without any is refused, and one that needs more than is left
 * fails.
 */
public final class ZipBody extends MadeBody {
  private static final int MAX_ENTRIES = 500_000;

  /** Estimated bytes that the JDK's archive keeps of an entry, beside its name. */
  private static final int ENTRY_BYTES = 320;

  /** A name is kept until the end, where it is copied to the directory, whose array grows. */
  private static final int NAME_COPIES = 3;

  private static final int READ_BYTES = 64 * 1024;
  private static final int MAX_COMMENT = 60_000;

  private final FileStore store;
  private final int prefix;
  private final NameMemory.Share memory;
  private final LongConsumer moved;
  private final Archive zip = new Archive(out);
  private final byte[] bytes = new byte[READ_BYTES];
  private final Compressibility compressibility = new Compressibility();
  private final StringBuilder comment = new StringBuilder();

  /** The folders that are open, the innermost first. */
  private final Deque<Listing> open = new ArrayDeque<>();

  private @Nullable FileSource file;
  private long position;
  private long total;
  private int entries;
  private long held;

  private ZipBody(
      FileStore store,
      StorePath folder,
      NameMemory.Share memory,
      Listing first,
      LongConsumer moved) {
    this.store = store;
    this.prefix = folder.equals(StorePath.ROOT) ? 0 : folder.value().length() + 1;
    this.memory = memory;
    this.moved = moved;
    open.push(first);
  }

  /**
   * Begins an archive of a folder.
   *
   * @param memory that of the names in all archives
   * @param moved receives the bytes of files that are in the archive so far
   * @throws FerryException as {@link FileStore#list}, or with {@link ErrorKind#OVERLOADED} if other
   *     archives use the memory
   */
  public static ZipBody of(FileStore store, StorePath folder, NameMemory memory, LongConsumer moved)
      throws FerryException {
    NameMemory.Share share = begin(folder, memory);
    boolean listed = false;
    try {
      ZipBody body = new ZipBody(store, folder, share, store.list(folder), moved);
      listed = true;
      return body;
    } finally {
      if (!listed) {
        share.close();
      }
    }
  }

  /** Takes the first of the memory, so that an archive without any is refused before its head. */
  private static NameMemory.Share begin(StorePath folder, NameMemory memory) throws FerryException {
    NameMemory.Share share =
        memory.share("archive of " + (folder.value().isEmpty() ? "/" : folder));
    share.growTo(1);
    return share;
  }

  /**
   * Begins an archive of entries of a folder.
   *
   * @param memory that of the names in all archives
   * @param entries their facts
   * @throws FerryException with {@link ErrorKind#OVERLOADED} if other archives use the memory
   */
  public static ZipBody of(
      FileStore store,
      StorePath folder,
      NameMemory memory,
      List<FileFacts> entries,
      LongConsumer moved)
      throws FerryException {
    Iterator<FileFacts> all = entries.iterator();
    Listing selected =
        new Listing() {
          @Override
          public @Nullable FileFacts next() {
            return all.hasNext() ? all.next() : null;
          }

          @Override
          public void close() {}
        };
    return new ZipBody(store, folder, begin(folder, memory), selected, moved);
  }

  @Override
  protected boolean writeNext() throws FerryException {
    Listing innermost = open.peek();
    try {
      if (file != null) {
        writeRest(file);
      } else if (innermost != null) {
        writeNext(innermost);
      } else {
        zip.setComment(comment.toString());
        zip.finish();
        return true;
      }
      return false;
    } catch (FerryException e) {
      throw e;
    } catch (IOException e) {
      throw new FerryException(ErrorKind.INTERNAL, "archive: " + e.getMessage(), e);
    }
  }

  private void writeNext(Listing innermost) throws FerryException, IOException {
    FileFacts entry = innermost.next();
    if (entry == null) {
      open.pop().close();
    } else if (entry.leftOut() != null) {
      leaveOut(entry, entry.leftOut().reason());
    } else {
      begin(entry);
    }
  }

  private void begin(FileFacts entry) throws FerryException, IOException {
    if (++entries > MAX_ENTRIES) {
      // The directory at the end of an archive is in memory until then.
      throw new FerryException(
          ErrorKind.TOO_LARGE,
          "archive: has over " + MAX_ENTRIES + " entries; take a folder in it, or ferry get -r");
    }
    held += ENTRY_BYTES + (long) NAME_COPIES * entry.name().length();
    memory.growTo(held);
    StorePath path = new StorePath(entry.name());
    try {
      if (entry.directory()) {
        open.push(store.list(path));
        stored(entry, 0, new CRC32());
        zip.closeEntry();
      } else {
        begin(entry, store.open(path));
      }
    } catch (FerryException e) {
      if (e.kind() != ErrorKind.PERMISSION_DENIED) {
        throw e;
      }
      leaveOut(entry, "not permitted");
    }
  }

  private void begin(FileFacts entry, FileSource opened) throws FerryException, IOException {
    file = opened;
    position = 0;
    long size = opened.facts().size();
    if (size > READ_BYTES) {
      opened.readAhead(0, size);
      deflated(entry, opened, HttpCompression.worthwhile(opened));
      return;
    }
    opened.readFully(ByteBuffer.wrap(bytes, 0, (int) size), 0);
    opened.verifyUnchanged();
    if (size > 0 && compressibility.worthwhile(bytes, (int) size)) {
      deflated(entry, opened, true);
    } else {
      CRC32 crc = new CRC32();
      crc.update(bytes, 0, (int) size);
      stored(entry, size, crc);
    }
    zip.write(bytes, 0, (int) size);
    end(opened, size);
  }

  /** Begins an entry whose size is not known, which needs a method that has an end. */
  private void deflated(FileFacts entry, FileSource opened, boolean smaller) throws IOException {
    zip.setMethod(ZipOutputStream.DEFLATED);
    zip.setLevel(smaller ? Deflater.BEST_SPEED : Deflater.NO_COMPRESSION);
    zip.putNextEntry(named(opened.facts(), entry));
  }

  private void writeRest(FileSource from) throws FerryException, IOException {
    int wanted = (int) Math.min(READ_BYTES, from.facts().size() - position);
    from.readFully(ByteBuffer.wrap(bytes, 0, wanted), position);
    zip.write(bytes, 0, wanted);
    position += wanted;
    if (position == from.facts().size()) {
      from.verifyUnchanged();
      end(from, wanted);
    } else {
      count(wanted);
    }
  }

  private void end(FileSource whole, long last) throws IOException {
    zip.closeEntry();
    file = null;
    Closing.quietly(whole);
    count(last);
  }

  private void count(long more) {
    total += more;
    moved.accept(total);
  }

  /** Begins an entry whose size and checksum are known. */
  private void stored(FileFacts facts, long size, CRC32 crc) throws IOException {
    ZipEntry entry = named(facts, facts);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(size);
    entry.setCrc(crc.getValue());
    zip.putNextEntry(entry);
  }

  private ZipEntry named(FileFacts facts, FileFacts listed) {
    ZipEntry entry = new ZipEntry(name(listed) + (listed.directory() ? "/" : ""));
    if (!facts.lastModified().equals(FileFacts.UNKNOWN_TIME)) {
      entry.setLastModifiedTime(FileTime.from(facts.lastModified()));
    }
    return entry;
  }

  private String name(FileFacts entry) {
    return entry.name().substring(prefix);
  }

  private void leaveOut(FileFacts entry, String why) {
    String line = "left out: " + name(entry) + ": " + why + "\n";
    if ((comment.length() + line.length()) * 3 < MAX_COMMENT) {
      comment.append(line);
    }
  }

  @Override
  public void close() {
    zip.release();
    memory.close();
    open.forEach(Listing::close);
    open.clear();
    if (file != null) {
      Closing.quietly(file);
      file = null;
    }
  }

  /** The JDK's archive, with a buffer for which fewer calls of zlib are needed. */
  private static final class Archive extends ZipOutputStream {
    Archive(OutputStream out) {
      super(out, StandardCharsets.UTF_8);
      buf = new byte[READ_BYTES];
    }

    /** Frees the memory of zlib. Nothing may be written afterwards. */
    void release() {
      def.end();
    }
  }
}
