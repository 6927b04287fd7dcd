package dev.ferry.grpc.internal.message;

import dev.ferry.compress.CompressorPool;
import dev.ferry.core.Compression;
import io.grpc.Codec;
import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A compression as grpc-java sees it, with a side door on both sides: a message that was compressed
 * already goes out in the buffer it stands in, and a received one can be taken off as it arrived,
 * to be decompressed elsewhere. Whatever does not use the doors is compressed and decompressed
 * here, on the calling thread.
 *
 * <p>Outwards, grpc's framer collects what a compressor writes in buffers of {@value #FIRST_BUFFER}
 * bytes at first (io.grpc.internal.MessageFramer); the {@link HandOffAllocator} answers the first
 * request with the compressed message. Inwards, grpc wraps what {@link #decompress} gives, but
 * passes {@code available()} on: the marshaller calls it, and the stream behind offers itself to
 * the calling thread. {@code HandOffContractTest} fails the day grpc-java does otherwise.
 */
public final class PrecompressedCodec implements Codec {
  /** What the framer asks for first. */
  static final int FIRST_BUFFER = Framing.FIRST_BUFFER;

  private final Compression.Format format;
  private final HandOffAllocator allocator;
  private final CompressionWorkers workers;
  private final MessageDecompressor decompressor;
  private final ThreadLocal<@Nullable Inlet> offered = new ThreadLocal<>();

  PrecompressedCodec(
      Compression.Format format,
      HandOffAllocator allocator,
      CompressionWorkers workers,
      MessageDecompressor decompressor) {
    this.format = format;
    this.allocator = allocator;
    this.workers = workers;
    this.decompressor = decompressor;
  }

  @Override
  public String getMessageEncoding() {
    return format.encoding();
  }

  @Override
  public OutputStream compress(OutputStream target) {
    // A chunk on its way through a codec is not handed off as it is.
    allocator.disarm();
    return new Outlet(target);
  }

  @Override
  public InputStream decompress(InputStream source) {
    return new Inlet(source);
  }

  /**
   * Takes a received message off as it arrived.
   *
   * @return the message, the caller's to release; null if what {@code available()} was called on
   *     last, on this thread, is no compressed message of this format, or stands in no views
   */
  ZeroCopyMessage.@Nullable CompressedIncoming takeOffered() throws IOException {
    Inlet inlet = offered.get();
    if (inlet == null) {
      return null;
    }
    offered.set(null);
    return inlet.takeOff();
  }

  /** Forgets what was offered to this thread. */
  void forget() {
    offered.set(null);
  }

  /** Where a sent message is compressed, or passes as it is. */
  final class Outlet extends OutputStream {
    private final OutputStream target;
    private @Nullable ByteArrayOutputStream plain;

    private Outlet(OutputStream target) {
      this.target = target;
    }

    /**
     * Sends a compressed message: in its own buffer, or copied where the framer did not ask for it.
     *
     * @param compressed given away with its readable bytes if the answer is true, else left alone
     */
    boolean pass(ByteBuf compressed) throws IOException {
      int start = compressed.readerIndex();
      int length = compressed.readableBytes();
      byte[] first = {compressed.getByte(start)};
      compressed.writerIndex(start);
      HandOff handOff = () -> compressed;
      allocator.arm(handOff, FIRST_BUFFER);
      boolean handedOff;
      try {
        // The byte that stands there anyway makes the framer ask for its first buffer.
        target.write(first, 0, 1);
      } finally {
        handedOff = !allocator.disarm(handOff);
        compressed.writerIndex(start + length);
      }
      if (!handedOff) {
        compressed.getBytes(start + 1, target, length - 1);
      }
      return handedOff;
    }

    private ByteArrayOutputStream plain() {
      ByteArrayOutputStream bytes = plain;
      if (bytes == null) {
        bytes = new ByteArrayOutputStream();
        plain = bytes;
      }
      return bytes;
    }

    @Override
    public void write(int b) {
      plain().write(b);
    }

    @Override
    public void write(byte[] source, int offset, int length) {
      plain().write(source, offset, length);
    }

    @Override
    public void close() throws IOException {
      ByteArrayOutputStream bytes = plain;
      if (bytes != null) {
        plain = null;
        CompressorPool codecs = workers.codecs(new Compression(format, 1));
        ByteBuffer compressed = ByteBuffer.allocate(codecs.bound(bytes.size()));
        int length = codecs.compress(ByteBuffer.wrap(bytes.toByteArray()), compressed);
        target.write(compressed.array(), 0, length);
      }
    }
  }

  /**
   * A received message, which is decompressed here as it is read, unless it is taken off before.
   */
  private final class Inlet extends InputStream {
    private final InputStream source;
    private @Nullable InputStream decompressing;
    private boolean detached;

    Inlet(InputStream source) {
      this.source = source;
    }

    ZeroCopyMessage.@Nullable CompressedIncoming takeOff() throws IOException {
      if (decompressing != null
          || !(source instanceof HasByteBuffer buffers)
          || !(source instanceof Detachable detachable)
          || !(source instanceof KnownLength)
          || !source.markSupported()
          || !buffers.byteBufferSupported()) {
        return null;
      }
      int length = source.available();
      ByteBuffer start = buffers.getByteBuffer();
      if (start == null) {
        return null;
      }
      detached = true;
      return new ZeroCopyMessage.CompressedIncoming(
          new DetachedBuffers(detachable.detach(), start, length), format);
    }

    private InputStream decompressing() throws IOException {
      if (detached) {
        throw new IllegalStateException("the message was taken off");
      }
      InputStream stream = decompressing;
      if (stream == null) {
        // No more than a message may have: grpc-java has checked that.
        byte[] compressed = source.readAllBytes();
        ByteBuf decompressed = decompressor.decompressBytes(ByteBuffer.wrap(compressed), format);
        stream = new ByteBufInputStream(decompressed, true);
        decompressing = stream;
      }
      return stream;
    }

    @Override
    public int available() throws IOException {
      if (decompressing != null) {
        return decompressing.available();
      }
      offered.set(this);
      return 0;
    }

    @Override
    public int read() throws IOException {
      return decompressing().read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return decompressing().read(target, offset, length);
    }

    @Override
    public void close() throws IOException {
      if (offered.get() == this) {
        offered.set(null);
      }
      try {
        if (decompressing != null) {
          decompressing.close();
        }
      } finally {
        source.close();
      }
    }
  }
}
