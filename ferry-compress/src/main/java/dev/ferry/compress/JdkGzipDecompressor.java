package dev.ferry.compress;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Inflates with the JDK's zlib, directly between buffers. Supports several members. */
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
      // This also releases the reference to the input.
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
          // The target is full. Only the end of the deflate stream may follow; another byte of
          // content is an error.
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
