package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decodes a gzip stream (RFC 1952) of one or more members as its buffers arrive, and writes it to a
 * sink.
 *
 * <p>{@code GZIPInputStream} treats garbage after a member as the end of the stream and needs a
 * blocking thread. This decoder is strict and push-based. It uses one output buffer, regardless of
 * how much a buffer expands. For one thread at a time.
 */
final class GzipDecoder implements Closeable {
  private static final int FIXED_HEADER_BYTES = 10;
  private static final int FLAG_HEADER_CRC = 2;
  private static final int FLAG_EXTRA = 4;
  private static final int FLAG_NAME = 8;
  private static final int FLAG_COMMENT = 16;
  private static final int RESERVED_FLAGS = 0xe0;

  private enum Part {
    FIXED_HEADER,
    EXTRA_LENGTH,
    EXTRA,
    NAME,
    COMMENT,
    HEADER_CRC,
    DATA,
    TRAILER
  }

  private final String name;
  private final FileSink sink;
  private final ByteBuffer out;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private Part part = Part.FIXED_HEADER;
  private int seen;
  private int flags;
  private int extraBytes;
  private long trailer;
  private boolean anyMember;
  private long arrived;

  /**
   * Creates a decoder. The caller closes the sink.
   *
   * @param name the name of the file, for messages
   * @param bufferSize bytes to write to the sink at once
   */
  GzipDecoder(String name, FileSink sink, int bufferSize) {
    this.name = name;
    this.sink = sink;
    this.out = ByteBuffer.allocateDirect(bufferSize);
  }

  /** Decodes all remaining bytes of a buffer. */
  void decode(ByteBuffer in) throws FerryException {
    arrived += in.remaining();
    while (in.hasRemaining()) {
      if (part == Part.DATA) {
        inflate(in);
      } else if (part == Part.TRAILER) {
        trailer(in.get());
      } else {
        header(in.get() & 0xff);
      }
    }
  }

  /** Writes the remaining output and checks that the stream ended at the end of a member. */
  void finish() throws FerryException {
    if (!anyMember || part != Part.FIXED_HEADER || seen > 0) {
      throw new FerryException(
          ErrorKind.INCOMPLETE, name + ": the gzip stream ends in the middle; send it whole");
    }
    flush();
  }

  private void header(int b) throws FerryException {
    seen++;
    switch (part) {
      case FIXED_HEADER -> fixedHeader(b);
      case EXTRA_LENGTH -> {
        extraBytes |= b << (8 * (seen - 1));
        if (seen == 2) {
          enter(extraBytes == 0 ? Part.NAME : Part.EXTRA);
        }
      }
      case EXTRA -> {
        if (seen == extraBytes) {
          enter(Part.NAME);
        }
      }
      case NAME -> {
        if (b == 0) {
          enter(Part.COMMENT);
        }
      }
      case COMMENT -> {
        if (b == 0) {
          enter(Part.HEADER_CRC);
        }
      }
      case HEADER_CRC -> {
        if (seen == 2) {
          enter(Part.DATA);
        }
      }
      case DATA, TRAILER -> throw new IllegalStateException(part.toString());
    }
  }

  private void fixedHeader(int b) throws FerryException {
    boolean good =
        switch (seen) {
          case 1 -> b == 0x1f;
          case 2 -> b == 0x8b;
          case 3 -> b == 8;
          case 4 -> (b & RESERVED_FLAGS) == 0;
          default -> true;
        };
    if (!good) {
      throw corrupt(anyMember ? "rubbish follows its end" : "it has no gzip header");
    }
    if (seen == 4) {
      flags = b;
    }
    if (seen == FIXED_HEADER_BYTES) {
      enter(Part.EXTRA_LENGTH);
    }
  }

  /** Continues with a part of the header, or with the next part if this member does not have it. */
  private void enter(Part next) {
    seen = 0;
    part = next;
    if (part == Part.EXTRA_LENGTH) {
      extraBytes = 0;
      if ((flags & FLAG_EXTRA) == 0) {
        part = Part.NAME;
      }
    }
    if (part == Part.NAME && (flags & FLAG_NAME) == 0) {
      part = Part.COMMENT;
    }
    if (part == Part.COMMENT && (flags & FLAG_COMMENT) == 0) {
      part = Part.HEADER_CRC;
    }
    if (part == Part.HEADER_CRC && (flags & FLAG_HEADER_CRC) == 0) {
      part = Part.DATA;
    }
  }

  private void inflate(ByteBuffer in) throws FerryException {
    inflater.setInput(in);
    try {
      while (!inflater.finished() && !inflater.needsDictionary()) {
        int start = out.position();
        int n = inflater.inflate(out);
        crc.update(out.duplicate().position(start).limit(start + n));
        if (!out.hasRemaining()) {
          flush();
        } else if (n == 0) {
          break;
        }
      }
    } catch (DataFormatException e) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, name + ": corrupt gzip stream: " + e.getMessage(), e);
    }
    if (inflater.needsDictionary()) {
      throw corrupt("it needs a dictionary");
    }
    if (inflater.finished()) {
      enter(Part.TRAILER);
      trailer = 0;
    }
  }

  private void trailer(byte b) throws FerryException {
    trailer |= (b & 0xffL) << (8 * seen++);
    if (seen < Long.BYTES) {
      return;
    }
    if ((trailer & 0xffffffffL) != crc.getValue()) {
      throw corrupt("its CRC-32 does not match");
    }
    if (trailer >>> 32 != (inflater.getBytesWritten() & 0xffffffffL)) {
      throw corrupt("its length does not match");
    }
    inflater.reset();
    crc.reset();
    anyMember = true;
    seen = 0;
    part = Part.FIXED_HEADER;
  }

  private void flush() throws FerryException {
    sink.write(out.flip());
    out.clear();
    try {
      sink.checkExpansion(arrived);
    } catch (FerryException e) {
      String how = e.getMessage() + " with " + HttpRoutes.UNENCODED_LENGTH;
      throw new FerryException(e.kind(), how, e);
    }
  }

  private FerryException corrupt(String why) {
    return new FerryException(ErrorKind.INVALID_REQUEST, name + ": corrupt gzip stream: " + why);
  }

  @Override
  public void close() {
    inflater.end();
  }
}
