package dev.ferry.web.internal.frame;

import dev.ferry.grpc.internal.message.Framing;
import dev.ferry.zerocopy.HandOffAllocator;
import io.grpc.Codec;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.CompositeByteBuf;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Encodes messages as frames. It follows the protocol that {@link Framing} describes. For one
 * thread at a time.
 */
public final class Framer {
  private final ByteBufAllocator allocator;

  public Framer(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Encodes and closes a message.
   *
   * @param codec compresses the message; null if it is sent uncompressed
   * @return a buffer with one or more frames; the caller releases it
   */
  public ByteBuf frame(InputStream message, @Nullable Codec codec) throws IOException {
    try (message) {
      if (codec != null) {
        return compressed(message, codec);
      }
      return message instanceof KnownLength || message instanceof ByteArrayInputStream
          ? plain(message)
          : copied(message);
    }
  }

  private ByteBuf plain(InputStream message) throws IOException {
    int length = message.available();
    int size = FrameRules.HEADER_BYTES + length;
    ByteBuf frame = allocator.buffer(size, size);
    try {
      frame.writeByte(0).writeInt(length);
      drain(message, new ByteBufOutputStream(frame));
      return frame;
    } catch (IOException | RuntimeException | Error e) {
      frame.release();
      throw e;
    }
  }

  private ByteBuf copied(InputStream message) throws IOException {
    return prefixed(0, out -> drain(message, out));
  }

  private ByteBuf compressed(InputStream message, Codec codec) throws IOException {
    return prefixed(
        1,
        out -> {
          try (OutputStream compressing = codec.compress(out)) {
            drain(message, compressing);
          }
        });
  }

  private static void drain(InputStream message, OutputStream target) throws IOException {
    if (message instanceof Drainable drainable) {
      drainable.drainTo(target);
    } else {
      message.transferTo(target);
    }
  }

  /** Writes a message to a stream. */
  @FunctionalInterface
  private interface Writing {
    void to(OutputStream target) throws IOException;
  }

  private ByteBuf prefixed(int flag, Writing writing) throws IOException {
    Chain chain = new Chain();
    try {
      writing.to(chain);
      return chain.framed(flag);
    } catch (IOException | RuntimeException | Error e) {
      chain.release();
      throw e;
    }
  }

  /** Collects a message of unknown length. */
  private final class Chain extends OutputStream {
    private @Nullable ByteBuf first;
    private @Nullable ByteBuf rest;

    @Override
    public void write(int b) {
      target(1).writeByte(b);
    }

    @Override
    public void write(byte[] source, int offset, int length) {
      if (length > 0) {
        target(length).writeBytes(source, offset, length);
      }
    }

    /**
     * The first buffer has the size at which the allocator may hand off a compressed message. It
     * may therefore already contain that message.
     */
    private ByteBuf target(int bytes) {
      ByteBuf begun = first;
      if (begun == null) {
        begun = allocator.buffer(HandOffAllocator.FIRST_BUFFER, HandOffAllocator.FIRST_BUFFER);
        first = begun;
      }
      if (rest == null && begun.writableBytes() >= bytes) {
        return begun;
      }
      ByteBuf more = rest;
      if (more == null) {
        more = allocator.directBuffer(Math.max(2 * HandOffAllocator.FIRST_BUFFER, bytes));
        rest = more;
      }
      return more;
    }

    ByteBuf framed(int flag) {
      CompositeByteBuf frame = allocator.compositeBuffer();
      ByteBuf prefix = allocator.directBuffer(FrameRules.HEADER_BYTES);
      int length =
          (first == null ? 0 : first.readableBytes()) + (rest == null ? 0 : rest.readableBytes());
      frame.addComponent(true, prefix.writeByte(flag).writeInt(length));
      if (first != null) {
        frame.addComponent(true, first);
      }
      if (rest != null) {
        frame.addComponent(true, rest);
      }
      return frame;
    }

    void release() {
      if (first != null) {
        first.release();
      }
      if (rest != null) {
        rest.release();
      }
    }
  }
}
