package dev.ferry.grpc.internal.message;

import dev.ferry.compress.CompressorPool;
import dev.ferry.core.Compression;
import dev.ferry.zerocopy.DetachedBytes;
import dev.ferry.zerocopy.HandOffAllocator;
import io.grpc.Codec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A grpc-java codec that can be bypassed. An outgoing message that is already compressed is sent in
 * its own buffer. An incoming message can be detached in compressed form and decompressed
 * elsewhere. All other messages are compressed and decompressed here on the calling thread.
 *
 * <p>For outgoing messages, grpc-java's framer collects the output of a compressor in buffers. The
 * first buffer has {@value HandOffAllocator#FIRST_BUFFER} bytes (io.grpc.internal.MessageFramer).
 * The {@link HandOffAllocator} answers the first request with the compressed message. For incoming
 * messages, grpc-java wraps the stream that {@link #decompress} returns but forwards {@code
 * available()} to it. The marshaller calls {@code available()}, and the stream then registers
 * itself for the calling thread. {@code UncopiedChunksTest} fails if grpc-java changes this
 * behavior.
 */
public final class PrecompressedCodec implements Codec {
  private final Compression.Format format;
  private final CompressionWorkers workers;
  private final MessageDecompressor decompressor;
  private final ThreadLocal<@Nullable Inlet> offered = new ThreadLocal<>();

  PrecompressedCodec(
      Compression.Format format, CompressionWorkers workers, MessageDecompressor decompressor) {
    this.format = format;
    this.workers = workers;
    this.decompressor = decompressor;
  }

  @Override
  public String getMessageEncoding() {
    return format.encoding();
  }

  @Override
  public OutputStream compress(OutputStream target) {
    return new Outlet(target);
  }

  @Override
  public InputStream decompress(InputStream source) {
    return new Inlet(source);
  }

  /**
   * Detaches a received message in compressed form.
   *
   * @return the message, which the caller releases; null if the last stream on which this thread
   *     called {@code available()} is not a compressed message of this format, or has no buffer
   *     views
   */
  ChunkMessage.@Nullable CompressedIncoming takeOffered() throws IOException {
    Inlet inlet = offered.get();
    if (inlet == null) {
      return null;
    }
    offered.set(null);
    return inlet.takeOff();
  }

  /** Clears the stream that is registered for this thread. */
  void forget() {
    offered.set(null);
  }

  /** Compresses an outgoing message, or passes it through if it is already compressed. */
  final class Outlet extends OutputStream {
    private final OutputStream target;
    private @Nullable ByteArrayOutputStream plain;

    private Outlet(OutputStream target) {
      this.target = target;
    }

    /** Sends a compressed message, as {@link HandOffAllocator#handOff} does. */
    boolean pass(ByteBuf compressed) throws IOException {
      return HandOffAllocator.handOff(compressed, target);
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

  /** A received message. It is decompressed while it is read unless it is detached before. */
  private final class Inlet extends InputStream {
    private final InputStream source;
    private @Nullable InputStream decompressing;
    private boolean detached;

    Inlet(InputStream source) {
      this.source = source;
    }

    ChunkMessage.@Nullable CompressedIncoming takeOff() throws IOException {
      DetachedBytes message = decompressing == null ? DetachedBytes.of(source) : null;
      if (message == null) {
        return null;
      }
      detached = true;
      return ChunkMessage.CompressedIncoming.of(message, format);
    }

    private InputStream decompressing() throws IOException {
      if (detached) {
        throw new IllegalStateException("the message was taken off");
      }
      InputStream stream = decompressing;
      if (stream == null) {
        // grpc-java has already checked that the size is within the message limit.
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
