package dev.ferry.compress;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Inflates by the JDK's zlib, from buffer to buffer; knows for every byte whose it is. */
final class JdkGzipDecompressor extends BoundedDecompressor {
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final byte[] probe = new byte[1];

  @Override
  void read(ByteBuffer input, ByteBuffer target)
      throws CorruptDataException, DecompressedTooLargeException {
    int limit = target.remaining();
    try {
      do {
        member(input, target, limit);
      } while (input.hasRemaining());
    } finally {
      // Also lets go of the input.
      inflater.reset();
    }
  }

  private void member(ByteBuffer in, ByteBuffer out, int limit)
      throws CorruptDataException, DecompressedTooLargeException {
    GzipMember.skipHeader(in);
    int start = out.position();
    inflater.reset();
    inflater.setInput(in);
    try {
      while (!inflater.finished()) {
        if (out.hasRemaining()) {
          int n = inflater.inflate(out);
          mustProgress(n);
        } else {
          // The end of the stream may still be unread; a byte more of content must not be.
          int n = inflater.inflate(probe);
          mustProgress(n);
          if (n > 0) {
            throw new DecompressedTooLargeException(limit);
          }
        }
      }
    } catch (DataFormatException e) {
      throw new CorruptDataException("corrupt gzip: bad deflate data: " + e.getMessage(), e);
    }
    crc.reset();
    crc.update(out.duplicate().flip().position(start));
    GzipMember.checkTrailer(in, crc, out.position() - start);
  }

  private void mustProgress(int n) throws CorruptDataException {
    if (n == 0 && !inflater.finished()) {
      throw inflater.needsDictionary()
          ? GzipMember.corrupt("it needs a dictionary")
          : GzipMember.truncated();
    }
  }

  @Override
  void end() {
    inflater.end();
  }
}
