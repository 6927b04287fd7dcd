package dev.ferry.http.internal.page;

import dev.ferry.core.FileFacts;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The JDK's archive, whose entries have the permissions of their files. The JDK calls each of them
 * one of DOS, without permissions, in whose name unzip takes a backslash for a separator. It has no
 * public way to say anything else, so the directory at the end of the archive is changed while it
 * is written.
 */
final class UnixArchive extends ZipOutputStream {
  private static final int FILE = 0100000;
  private static final int FOLDER = 0040000;
  private static final int USUAL_OF_FILE = 0644;
  private static final int USUAL_OF_FOLDER = 0755;

  private final Directory directory;

  /**
   * Begins an archive.
   *
   * @param bufferBytes for which fewer calls of zlib are needed than with the buffer of the JDK
   */
  UnixArchive(OutputStream out, int bufferBytes) {
    this(new Directory(out), bufferBytes);
  }

  private UnixArchive(Directory directory, int bufferBytes) {
    super(directory, StandardCharsets.UTF_8);
    this.directory = directory;
    buf = new byte[bufferBytes];
  }

  /**
   * Begins an entry.
   *
   * @param facts say its permissions; if they are not known, it has those of most new files
   */
  void putNextEntry(ZipEntry entry, FileFacts facts) throws IOException {
    putNextEntry(entry);
    Integer mode = facts.mode();
    boolean folder = facts.directory();
    int usual = folder ? USUAL_OF_FOLDER : USUAL_OF_FILE;
    directory.add((folder ? FOLDER : FILE) | (mode == null ? usual : mode));
  }

  @Override
  public void finish() throws IOException {
    directory.begin();
    super.finish();
  }

  /** Frees the memory of zlib. Nothing may be written afterwards. */
  void release() {
    def.end();
  }

  /** Passes the archive on, and changes the headers of its directory (APPNOTE.TXT, 4.3.12). */
  private static final class Directory extends FilterOutputStream {
    private static final int SIGNATURE_BYTES = 4;
    private static final byte[] SIGNATURE = {'P', 'K', 1, 2};
    private static final int HEADER_BYTES = 46;

    /** The upper byte of the version that made the entry. */
    private static final int SYSTEM = 5;

    private static final byte UNIX = 3;

    /** The lengths of the name, the extra fields and the comment behind the header. */
    private static final int[] LENGTHS = {28, 30, 32};

    /** The attributes of the file. Their upper half is the mode of Unix, the lower one of DOS. */
    private static final int ATTRIBUTES = 38;

    private static final byte DOS_FOLDER = 0x10;

    private char[] modes = new char[16];
    private int added;
    private boolean begun;
    private final byte[] header = new byte[HEADER_BYTES];
    private int filled;
    private int next;

    /** Bytes behind the last header that are passed on as they are. */
    private int rest;

    Directory(OutputStream out) {
      super(out);
    }

    void add(int mode) {
      if (added == modes.length) {
        modes = Arrays.copyOf(modes, 2 * added);
      }
      modes[added++] = (char) mode;
    }

    /** All entries are complete, and their directory follows. */
    void begin() {
      begun = true;
    }

    @Override
    public void write(int b) throws IOException {
      if (!begun || rest > 0) {
        rest -= begun ? 1 : 0;
        out.write(b);
        return;
      }
      header[filled++] = (byte) b;
      if (filled == SIGNATURE_BYTES && !Arrays.equals(header, 0, filled, SIGNATURE, 0, filled)) {
        // The end of the directory.
        begun = false;
        out.write(header, 0, filled);
      } else if (filled == HEADER_BYTES) {
        end(modes[next++]);
      }
    }

    private void end(char mode) throws IOException {
      header[SYSTEM] = UNIX;
      header[ATTRIBUTES] = (mode & FOLDER) == 0 ? 0 : DOS_FOLDER;
      header[ATTRIBUTES + 2] = (byte) mode;
      header[ATTRIBUTES + 3] = (byte) (mode >> 8);
      out.write(header, 0, filled);
      filled = 0;
      for (int length : LENGTHS) {
        rest += header[length] & 0xff | (header[length + 1] & 0xff) << 8;
      }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      int at = offset;
      int end = offset + length;
      while (begun && at < end) {
        if (rest > 0) {
          int passed = Math.min(rest, end - at);
          out.write(bytes, at, passed);
          rest -= passed;
          at += passed;
        } else {
          write(bytes[at++]);
        }
      }
      out.write(bytes, at, end - at);
    }
  }
}
