package dev.ferry.library.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** Passes the bytes of a download on to the caller's code, which it does not close. */
public final class TargetChannel implements WritableByteChannel {
  private static final int COPY_BYTES = 64 * 1024;

  private final Target target;

  /** Takes the bytes from the position of a buffer to its limit. */
  @FunctionalInterface
  public interface Target {
    void accept(ByteBuffer bytes) throws IOException;
  }

  public TargetChannel(Target target) {
    this.target = target;
  }

  /** Writes to a stream. */
  public static TargetChannel of(OutputStream out) {
    byte[] copy = new byte[COPY_BYTES];
    return new TargetChannel(
        bytes -> {
          while (bytes.hasRemaining()) {
            int length = Math.min(copy.length, bytes.remaining());
            bytes.get(copy, 0, length);
            out.write(copy, 0, length);
          }
        });
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int length = source.remaining();
    target.accept(source.asReadOnlyBuffer());
    source.position(source.limit());
    return length;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {}
}
