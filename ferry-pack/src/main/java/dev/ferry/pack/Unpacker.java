package dev.ferry.pack;

import java.nio.ByteBuffer;

/**
 * Unpacks what a {@link Packer}, or anybody's program for the same format, has packed. Trusts
 * nothing that it reads: every length and checksum of the format is verified, and there is never
 * more output than the target takes, whatever the input expands to.
 *
 * <p>For one thread at a time. Holds native memory until it is closed; {@link PackPool} sees to
 * both.
 */
public interface Unpacker extends AutoCloseable {
  /**
   * Unpacks all that remains of the input, one or more packed wholes on end, and advances both
   * buffers past what was read and written.
   *
   * <p>The buffers may be direct or on the heap, the input read-only, and of any byte order; they
   * must not share memory. No reference to them is kept. When it throws, neither position has
   * moved, what stands in the target behind its position is undefined, and the unpacker is as good
   * as before.
   *
   * @return bytes written
   * @throws CorruptPackException if the input is anything but whole and sound
   * @throws UnpackedTooLargeException if the target has less room than the input expands to
   * @throws IllegalStateException if the unpacker is closed
   */
  int unpack(ByteBuffer input, ByteBuffer target)
      throws CorruptPackException, UnpackedTooLargeException;

  /** Gives the native memory back; idempotent. */
  @Override
  void close();
}
