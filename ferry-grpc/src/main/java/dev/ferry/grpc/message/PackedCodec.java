package dev.ferry.grpc.message;

import io.grpc.Codec;
import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * gzip as grpc-java sees it, with a side door on both sides: a message that was packed already goes
 * out in the buffer it stands in, and a received one can be taken off as it arrived, to be unpacked
 * elsewhere. Whatever does not use the doors is packed and unpacked here, on the calling thread.
 *
 * <p>Outwards, grpc's framer collects what a compressor writes in buffers of {@value #FIRST_BUFFER}
 * bytes at first (io.grpc.internal.MessageFramer); the {@link HandOffAllocator} answers the first
 * request with the packed message. Inwards, grpc wraps what {@link #decompress} gives, but passes
 * {@code available()} on: the marshaller calls it, and the stream behind offers itself to the
 * calling thread. {@code HandOffContractTest} fails the day grpc-java does otherwise.
 */
public final class PackedCodec implements Codec {
  /** What the framer asks for first. */
  static final int FIRST_BUFFER = 4096;

  private final GzipCodec plain;
  private final HandOffAllocator allocator;
  private final ThreadLocal<@Nullable Inlet> offered = new ThreadLocal<>();

  PackedCodec(int level, HandOffAllocator allocator) {
    this.plain = new GzipCodec(level);
    this.allocator = allocator;
  }

  @Override
  public String getMessageEncoding() {
    return plain.getMessageEncoding();
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
   * @param stream what the marshaller was given
   * @return the packed bytes, the caller's to close; null if the stream is of another kind
   */
  @Nullable InputStream take(InputStream stream) throws IOException {
    offered.set(null);
    int ignored = stream.available();
    Inlet inlet = offered.get();
    if (inlet == null) {
      return null;
    }
    offered.set(null);
    return inlet.detach();
  }

  /** Where a sent message is packed, or passes as it is. */
  final class Outlet extends OutputStream {
    private final OutputStream target;
    private @Nullable OutputStream packing;

    private Outlet(OutputStream target) {
      this.target = target;
    }

    /**
     * Sends a packed message: in its own buffer, or copied where the framer did not ask for it.
     *
     * @param packed given away with its readable bytes if the answer is true, else left alone
     */
    boolean pass(ByteBuf packed) throws IOException {
      int start = packed.readerIndex();
      int length = packed.readableBytes();
      byte[] first = {packed.getByte(start)};
      packed.writerIndex(start);
      HandOff handOff = () -> packed;
      allocator.arm(handOff, FIRST_BUFFER);
      boolean handedOff;
      try {
        // The byte that stands there anyway makes the framer ask for its first buffer.
        target.write(first, 0, 1);
      } finally {
        handedOff = !allocator.disarm(handOff);
        packed.writerIndex(start + length);
      }
      if (!handedOff) {
        packed.getBytes(start + 1, target, length - 1);
      }
      return handedOff;
    }

    private OutputStream packing() throws IOException {
      OutputStream stream = packing;
      if (stream == null) {
        stream = plain.compress(target);
        packing = stream;
      }
      return stream;
    }

    @Override
    public void write(int b) throws IOException {
      packing().write(b);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
      packing().write(source, offset, length);
    }

    @Override
    public void close() throws IOException {
      if (packing != null) {
        packing.close();
      }
    }
  }

  /** A received message, which is unpacked here as it is read, unless it is taken off before. */
  private final class Inlet extends InputStream {
    private final InputStream source;
    private @Nullable InputStream unpacking;
    private boolean detached;

    Inlet(InputStream source) {
      this.source = source;
    }

    @Nullable InputStream detach() {
      if (unpacking != null
          || !(source instanceof HasByteBuffer buffers)
          || !(source instanceof Detachable detachable)
          || !(source instanceof KnownLength)
          || !source.markSupported()
          || !buffers.byteBufferSupported()) {
        return null;
      }
      detached = true;
      return detachable.detach();
    }

    private InputStream unpacking() throws IOException {
      if (detached) {
        throw new IllegalStateException("the message was taken off");
      }
      InputStream stream = unpacking;
      if (stream == null) {
        stream = plain.decompress(source);
        unpacking = stream;
      }
      return stream;
    }

    @Override
    public int available() throws IOException {
      if (unpacking == null && !detached) {
        offered.set(this);
        return 0;
      }
      return unpacking == null ? 0 : unpacking.available();
    }

    @Override
    public int read() throws IOException {
      return unpacking().read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return unpacking().read(target, offset, length);
    }

    @Override
    public void close() throws IOException {
      if (unpacking != null) {
        unpacking.close();
      } else {
        source.close();
      }
    }
  }
}
