package dev.ferry.http.internal.page;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.TreeListing;
import dev.ferry.core.internal.Compressibility;
import dev.ferry.core.internal.NameMemory;
import dev.ferry.core.internal.PlainText;
import dev.ferry.http.internal.Closing;
import dev.ferry.http.internal.HttpCompression;
import dev.ferry.http.internal.MadeBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.attribute.FileTime;
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
 * is left out, and named in its comment: entries that are no files, those that the caller may not
 * read, and those that would be unpacked under another name, or elsewhere.
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
  private static final String NOT_PERMITTED = "not permitted";

  private final FileStore store;
  private final int prefix;
  private final NameMemory.Share memory;
  private final LongConsumer moved;
  private final UnixArchive zip = new UnixArchive(out, READ_BYTES);
  private final byte[] bytes = new byte[READ_BYTES];
  private final Compressibility compressibility = new Compressibility();
  private final StringBuilder comment = new StringBuilder();

  private final Listing all;
  private @Nullable FileSource file;
  private long position;
  private long total;
  private int entries;
  private int unnamed;

  /** What was last left out because of its name, with all that is in it. */
  private @Nullable StorePath without;

  private long held;

  private ZipBody(
      FileStore store, StorePath folder, NameMemory.Share memory, Listing all, LongConsumer moved) {
    this.store = store;
    this.prefix = folder.equals(StorePath.ROOT) ? 0 : folder.value().length() + 1;
    this.memory = memory;
    this.moved = moved;
    this.all = all;
  }

  /**
   * Begins an archive of a folder.
   *
   * @param memory that of the names in all archives
   * @param holder whose share of it the archive has
   * @param moved receives the bytes of files that are in the archive so far
   * @throws FerryException as {@link FileStore#list}, or with {@link ErrorKind#OVERLOADED} if other
   *     archives use the memory
   */
  public static ZipBody of(
      FileStore store, StorePath folder, NameMemory memory, String holder, LongConsumer moved)
      throws FerryException {
    NameMemory.Share share = begin(folder, memory, holder);
    boolean listed = false;
    try {
      ZipBody body = new ZipBody(store, folder, share, TreeListing.open(store, folder), moved);
      listed = true;
      return body;
    } finally {
      if (!listed) {
        share.close();
      }
    }
  }

  /** Takes the first of the memory, so that an archive without any is refused before its head. */
  private static NameMemory.Share begin(StorePath folder, NameMemory memory, String holder)
      throws FerryException {
    NameMemory.Share share =
        memory.share(holder, "archive of " + (folder.value().isEmpty() ? "/" : folder));
    share.growTo(1);
    return share;
  }

  /**
   * Begins an archive of entries of a folder.
   *
   * @param memory that of the names in all archives
   * @param holder whose share of it the archive has
   * @param entries their facts
   * @throws FerryException with {@link ErrorKind#OVERLOADED} if other archives use the memory
   */
  public static ZipBody of(
      FileStore store,
      StorePath folder,
      NameMemory memory,
      String holder,
      List<FileFacts> entries,
      LongConsumer moved)
      throws FerryException {
    Listing selected = new Selection(store, entries);
    return new ZipBody(store, folder, begin(folder, memory, holder), selected, moved);
  }

  /** Entries, each followed by all that is below it. */
  private static final class Selection implements Listing {
    private final FileStore store;
    private final Iterator<FileFacts> selected;
    private @Nullable Listing tree;

    Selection(FileStore store, List<FileFacts> entries) {
      this.store = store;
      this.selected = entries.iterator();
    }

    @Override
    public @Nullable FileFacts next() throws FerryException {
      FileFacts below = tree == null ? null : tree.next();
      if (below != null || !selected.hasNext()) {
        return below;
      }
      close();
      FileFacts entry = selected.next();
      if (!entry.directory() || entry.leftOut() != null) {
        return entry;
      }
      try {
        tree = TreeListing.open(store, new StorePath(entry.name()));
        return entry;
      } catch (FerryException e) {
        return entry.withLeftOut(LeftOut.UNREADABLE);
      }
    }

    @Override
    public void close() {
      if (tree != null) {
        tree.close();
        tree = null;
      }
    }
  }

  @Override
  protected boolean writeNext() throws FerryException {
    try {
      FileFacts entry = file == null ? all.next() : null;
      if (file != null) {
        writeRest(file);
      } else if (entry != null) {
        write(entry);
      } else {
        if (unnamed > 0) {
          comment.append("left out, and not named here: ").append(unnamed).append(" more\n");
        }
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

  private void write(FileFacts entry) throws FerryException, IOException {
    LeftOut leftOut = entry.leftOut();
    if (without != null && new StorePath(entry.name()).isWithin(without)) {
      return;
    }
    if (leftOut != null) {
      leaveOut(entry, isFolder(entry, leftOut) ? whyUnlisted(entry) : leftOut.reason());
    } else if (isElsewhere(name(entry))) {
      without = new StorePath(entry.name());
      leaveOut(entry, "its name is a path on Windows, or has control characters");
    } else {
      begin(entry);
    }
  }

  private static boolean isFolder(FileFacts entry, LeftOut leftOut) {
    return entry.directory() && leftOut == LeftOut.UNREADABLE;
  }

  /**
   * Returns why a folder could not be listed.
   *
   * @throws FerryException if that is no reason to make an archive without it
   */
  private String whyUnlisted(FileFacts folder) throws FerryException {
    try (Listing unused = store.list(new StorePath(folder.name()))) {
      return "it could not be listed, or is too many folders deep";
    } catch (FerryException e) {
      if (e.kind() != ErrorKind.PERMISSION_DENIED) {
        throw e;
      }
      return NOT_PERMITTED;
    }
  }

  /**
   * Whether programs that unpack the archive may store an entry under another name: those of
   * Windows take a backslash for a separator, and {@code C:} for a drive. What controls a terminal
   * would be printed there by others.
   */
  private static boolean isElsewhere(String name) {
    boolean drive = name.length() > 1 && name.charAt(1) == ':' && isLetter(name.charAt(0));
    return drive
        || name.indexOf('\\') >= 0
        || name.chars().anyMatch(c -> Character.isISOControl(c));
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
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
    if (entry.directory()) {
      stored(entry, entry, 0, new CRC32());
      zip.closeEntry();
      return;
    }
    try {
      begin(entry, store.open(new StorePath(entry.name())));
    } catch (FerryException e) {
      if (e.kind() != ErrorKind.PERMISSION_DENIED) {
        throw e;
      }
      leaveOut(entry, NOT_PERMITTED);
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
      stored(entry, opened.facts(), size, crc);
    }
    zip.write(bytes, 0, (int) size);
    end(opened, size);
  }

  /** Begins an entry whose size is not known, which needs a method that has an end. */
  private void deflated(FileFacts entry, FileSource opened, boolean smaller) throws IOException {
    zip.setMethod(ZipOutputStream.DEFLATED);
    zip.setLevel(smaller ? Deflater.BEST_SPEED : Deflater.NO_COMPRESSION);
    zip.putNextEntry(named(opened.facts(), entry), opened.facts());
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
  private void stored(FileFacts listed, FileFacts facts, long size, CRC32 crc) throws IOException {
    ZipEntry entry = named(facts, listed);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(size);
    entry.setCrc(crc.getValue());
    zip.putNextEntry(entry, facts);
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
    String below = entry.directory() ? "/ and all that is in it: " : ": ";
    String line = "left out: " + PlainText.of(name(entry)) + below + why + "\n";
    if (unnamed == 0 && (comment.length() + line.length()) * 3 < MAX_COMMENT) {
      comment.append(line);
    } else {
      unnamed++;
    }
  }

  @Override
  public void close() {
    zip.release();
    memory.close();
    all.close();
    if (file != null) {
      Closing.quietly(file);
      file = null;
    }
  }
}
