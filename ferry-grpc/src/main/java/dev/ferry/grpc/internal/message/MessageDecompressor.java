package dev.ferry.grpc.internal.message;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.ferry.compress.CompressorPool;
import dev.ferry.compress.CorruptDataException;
import dev.ferry.compress.DecompressedTooLargeException;
import dev.ferry.core.Compression;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.wire.internal.contract.Limits;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.zerocopy.BytesField;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses received messages, which grpc-java then does not: so the limit on their decompressed
 * size is kept here. Thread-safe.
 */
record MessageDecompressor(
    BytesField<FilePart> field, ByteBufAllocator pool, CompressionWorkers workers) {
  /**
   * Decompresses a message; the message itself stays its owner's.
   *
   * @return facts, an end or a chunk
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it is corrupt, with {@link
   *     ErrorKind#TOO_LARGE} if it decompresses to more than a message may have
   */
  ChunkMessage.Plain decompress(ChunkMessage.CompressedIncoming message) throws FerryException {
    return decode(Objects.requireNonNull(decompressBytes(message, true)));
  }

  /**
   * Decompresses a message as {@link #decompress}, but no more bytes than it stated.
   *
   * @return null if there are more
   */
  ChunkMessage.@Nullable Plain decompressAsStated(ChunkMessage.CompressedIncoming message)
      throws FerryException {
    ByteBuf decompressed = decompressBytes(message, false);
    return decompressed == null ? null : decode(decompressed);
  }

  /** Takes a buffer over. */
  private ChunkMessage.Plain decode(ByteBuf decompressed) throws FerryException {
    try {
      return new ChunkMessage.Plain(field.decode(decompressed));
    } catch (InvalidProtocolBufferException e) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, "bad FilePart: " + e.getMessage(), e);
    }
  }

  private @Nullable ByteBuf decompressBytes(
      ChunkMessage.CompressedIncoming message, boolean anySize) throws FerryException {
    List<ByteBuffer> views = message.compressed().buffers();
    if (views.size() == 1) {
      return decompressBytes(views.get(0).duplicate(), message.format(), anySize);
    }
    ByteBuf whole = pool.directBuffer(message.compressed().length());
    try {
      views.forEach(view -> whole.writeBytes(view.duplicate()));
      return decompressBytes(whole.nioBuffer(), message.format(), anySize);
    } finally {
      whole.release();
    }
  }

  /**
   * Decompresses bytes into a buffer, the caller's to release.
   *
   * @throws FerryException as {@link #decompress}
   */
  ByteBuf decompressBytes(ByteBuffer compressed, Compression.Format format) throws FerryException {
    return Objects.requireNonNull(decompressBytes(compressed, format, true));
  }

  /**
   * @param anySize whether the bytes may become more than they say; if not, null is returned then
   */
  private @Nullable ByteBuf decompressBytes(
      ByteBuffer compressed, Compression.Format format, boolean anySize) throws FerryException {
    CompressorPool codecs = workers.codecs(new Compression(format, 1));
    try {
      long stated = codecs.codec().decompressedSize(compressed).orElse(Limits.MAX_MESSAGE);
      if (stated < Limits.MAX_MESSAGE) {
        try {
          return decompressWithin(compressed, codecs, (int) stated);
        } catch (DecompressedTooLargeException e) {
          // Several wholes on end: only one of them said its size.
          return !anySize ? null : decompressWithin(compressed, codecs, Limits.MAX_MESSAGE);
        }
      }
      return decompressWithin(compressed, codecs, Limits.MAX_MESSAGE);
    } catch (DecompressedTooLargeException e) {
      throw new FerryException(
          ErrorKind.TOO_LARGE,
          "a message decompresses to more than the limit of " + Limits.MAX_MESSAGE + " bytes",
          e);
    } catch (IllegalStateException e) {
      // The pool was closed meanwhile.
      throw CompressionWorkers.closing(e);
    } catch (CorruptDataException e) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "a compressed message is corrupt: " + e.getMessage(), e);
    }
  }

  /** When it throws, the position of the compressed bytes has not moved. */
  private ByteBuf decompressWithin(ByteBuffer compressed, CompressorPool codecs, int limit)
      throws DecompressedTooLargeException, CorruptDataException {
    // One byte more than nothing: a buffer of no bytes has no memory to point at.
    ByteBuf decompressed = pool.directBuffer(Math.max(limit, 1));
    boolean done = false;
    try {
      int n = codecs.decompress(compressed, decompressed.internalNioBuffer(0, limit));
      decompressed.writerIndex(n);
      if (n < limit / 2) {
        // Its size was not said: what waits to be written must not keep the room for the most.
        return Unpooled.wrappedBuffer(ByteBufUtil.getBytes(decompressed));
      }
      done = true;
      return decompressed;
    } finally {
      if (!done) {
        decompressed.release();
      }
    }
  }
}
