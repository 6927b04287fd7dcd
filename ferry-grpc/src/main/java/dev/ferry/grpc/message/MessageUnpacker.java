package dev.ferry.grpc.message;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.ferry.contract.Limits;
import dev.ferry.contract.v1.FilePart;
import dev.ferry.core.Compression;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.pack.CorruptPackException;
import dev.ferry.pack.PackPool;
import dev.ferry.pack.UnpackedTooLargeException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Unpacks received messages, which grpc-java then does not: so the limit on their unpacked size is
 * kept here. Thread-safe.
 */
final class MessageUnpacker {
  private final ByteBufAllocator allocator;
  private final PackWorkers workers;

  MessageUnpacker(ByteBufAllocator allocator, PackWorkers workers) {
    this.allocator = allocator;
    this.workers = workers;
  }

  /** What a message turned out to be. */
  sealed interface Unpacked {
    /** Facts or an end. */
    record Header(FilePart part) implements Unpacked {}

    /** A chunk. */
    record Chunk(UnpackedPiece piece) implements Unpacked {}
  }

  /** A chunk in a buffer of its own. */
  static final class UnpackedPiece implements Piece {
    private final ByteBuf buffer;
    private final int start;
    private final int length;
    private boolean released;

    private UnpackedPiece(ByteBuf buffer, int start, int length) {
      this.buffer = buffer;
      this.start = start;
      this.length = length;
    }

    @Override
    public int length() {
      return length;
    }

    @Override
    public void addViews(List<ByteBuffer> target) {
      if (length > 0) {
        target.add(buffer.nioBuffer(start, length));
      }
    }

    @Override
    public void release() {
      if (!released) {
        released = true;
        buffer.release();
      }
    }
  }

  /**
   * Unpacks a message; the message itself stays its owner's.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it is corrupt, with {@link
   *     ErrorKind#TOO_LARGE} if it unpacks to more than a message may have
   */
  Unpacked unpack(ZeroCopyMessage.PackedIncoming message) throws FerryException {
    ByteBuf unpacked = unpackBytes(message);
    boolean kept = false;
    try {
      Unpacked result = classify(unpacked);
      kept = result instanceof Unpacked.Chunk chunk && chunk.piece().buffer == unpacked;
      return result;
    } finally {
      if (!kept) {
        unpacked.release();
      }
    }
  }

  private ByteBuf unpackBytes(ZeroCopyMessage.PackedIncoming message) throws FerryException {
    List<ByteBuffer> views = new ArrayList<>();
    message.detached().addViews(views, 0);
    if (views.size() == 1) {
      return unpackBytes(views.get(0), message.format());
    }
    ByteBuf whole = allocator.directBuffer(message.detached().length());
    try {
      views.forEach(whole::writeBytes);
      return unpackBytes(whole.nioBuffer(), message.format());
    } finally {
      whole.release();
    }
  }

  /**
   * Unpacks bytes into a buffer, the caller's to release.
   *
   * @throws FerryException as {@link #unpack}
   */
  ByteBuf unpackBytes(ByteBuffer packed, Compression.Format format) throws FerryException {
    PackPool codecs = workers.codecs(new Compression(format, 1));
    try {
      long stated = codecs.codec().unpackedSize(packed).orElse(Limits.MAX_MESSAGE);
      if (stated < Limits.MAX_MESSAGE) {
        try {
          return unpackWithin(packed, codecs, (int) stated);
        } catch (UnpackedTooLargeException e) {
          // Several wholes on end: only one of them said its size.
          return unpackWithin(packed, codecs, Limits.MAX_MESSAGE);
        }
      }
      return unpackWithin(packed, codecs, Limits.MAX_MESSAGE);
    } catch (UnpackedTooLargeException e) {
      throw new FerryException(
          ErrorKind.TOO_LARGE,
          "a message unpacks to more than the limit of " + Limits.MAX_MESSAGE + " bytes",
          e);
    } catch (IllegalStateException e) {
      // The pool was closed meanwhile.
      throw PackWorkers.closing(e);
    } catch (CorruptPackException e) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "a compressed message is corrupt: " + e.getMessage(), e);
    }
  }

  /** When it throws, the position of the packed bytes has not moved. */
  private ByteBuf unpackWithin(ByteBuffer packed, PackPool codecs, int limit)
      throws UnpackedTooLargeException, CorruptPackException {
    // One byte more than nothing: a buffer of no bytes has no memory to point at.
    ByteBuf unpacked = allocator.directBuffer(Math.max(limit, 1));
    boolean done = false;
    try {
      int n = codecs.unpack(packed, unpacked.internalNioBuffer(0, limit));
      unpacked.writerIndex(n);
      if (n < limit / 2) {
        // Its size was not said: what waits to be written must not keep the room for the most.
        return Unpooled.wrappedBuffer(ByteBufUtil.getBytes(unpacked));
      }
      done = true;
      return unpacked;
    } finally {
      if (!done) {
        unpacked.release();
      }
    }
  }

  private static Unpacked classify(ByteBuf message) throws FerryException {
    ByteBuffer view = message.nioBuffer();
    int header = WireFormat.chunkHeader(view, view.remaining());
    if (header >= 0) {
      return new Unpacked.Chunk(
          new UnpackedPiece(message, header, message.readableBytes() - header));
    }
    try {
      // Facts, an end, or a chunk with fields of a later version.
      FilePart part = FilePart.parseFrom(view);
      if (!part.hasChunk()) {
        return new Unpacked.Header(part);
      }
      ByteBuf copy = Unpooled.wrappedBuffer(part.getChunk().toByteArray());
      return new Unpacked.Chunk(new UnpackedPiece(copy, 0, copy.readableBytes()));
    } catch (InvalidProtocolBufferException e) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, "bad FilePart: " + e.getMessage(), e);
    }
  }
}
