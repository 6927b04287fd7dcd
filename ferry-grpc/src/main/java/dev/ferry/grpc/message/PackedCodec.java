package dev.ferry.grpc.message;

import dev.ferry.core.Compression;
import dev.ferry.pack.PackPool;
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
 * A compression as grpc-java sees it, with a side door on both sides: a message that was packed
 * already goes out in the buffer it stands in, and a received one can be taken off as it arrived,
 * to be unpacked elsewhere. Whatever does not use the doors is packed and unpacked here, on the
 * calling thread.
 *
 * <p>Outwards, grpc's framer collects what a compressor writes in buffers of {@value #FIRST_BUFFER}
 * bytes at first (io.grpc.internal.MessageFramer); the {@link HandOffAllocator} answers the first
 * request with the packed message. Inwards, grpc wraps what {@link #decompress} gives, but passes
 * {@code available()} on: the marshaller calls it, and the stream behind offers itself to the
 * calling thread. {@code HandOffContractTest} fails the day grpc-java does otherwise.
 */
public final class PackedCodec implements Codec {
  /** What the framer asks for first. */
  static final int FIRST_BUFFER = Framing.FIRST_BUFFER;

  private final Compression.Format format;
  private final HandOffAllocator allocator;
  private final PackWorkers workers;
  private final MessageUnpacker unpacker;
  private final ThreadLocal<@Nullable Inlet> offered = new ThreadLocal<>();

  PackedCodec(
      Compression.Format format,
      HandOffAllocator allocator,
      PackWorkers workers,
      MessageUnpacker unpacker) {
    this.format = format;
    this.allocator = allocator;
    this.workers = workers;
    this.unpacker = unpacker;
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
   *     last, on this thread, is no packed message of this format, or stands in no views
   */
  ZeroCopyMessage.@Nullable PackedIncoming takeOffered() throws IOException {
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

  /** Where a sent message is packed, or passes as it is. */
  final class Outlet extends OutputStream {
    private final OutputStream target;
    private @Nullable ByteArrayOutputStream plain;

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
        PackPool codecs = workers.codecs(new Compression(format, 1));
        ByteBuffer packed = ByteBuffer.allocate(codecs.bound(bytes.size()));
        int length = codecs.pack(ByteBuffer.wrap(bytes.toByteArray()), packed);
        target.write(packed.array(), 0, length);
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

    ZeroCopyMessage.@Nullable PackedIncoming takeOff() throws IOException {
      if (unpacking != null
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
      return new ZeroCopyMessage.PackedIncoming(
          new Detached(detachable.detach(), start, length), format);
    }

    private InputStream unpacking() throws IOException {
      if (detached) {
        throw new IllegalStateException("the message was taken off");
      }
      InputStream stream = unpacking;
      if (stream == null) {
        // No more than a message may have: grpc-java has checked that.
        byte[] packed = source.readAllBytes();
        ByteBuf unpacked = unpacker.unpackBytes(ByteBuffer.wrap(packed), format);
        stream = new ByteBufInputStream(unpacked, true);
        unpacking = stream;
      }
      return stream;
    }

    @Override
    public int available() throws IOException {
      if (unpacking != null) {
        return unpacking.available();
      }
      offered.set(this);
      return 0;
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
      if (offered.get() == this) {
        offered.set(null);
      }
      try {
        if (unpacking != null) {
          unpacking.close();
        }
      } finally {
        source.close();
      }
    }
  }
}
