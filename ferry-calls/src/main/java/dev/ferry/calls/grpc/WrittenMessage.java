package dev.ferry.calls.grpc;

import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;

/**
 * A message in pieces, which grpc-java's framer may ask for as a whole. For one thread at a time.
 */
final class WrittenMessage extends InputStream implements KnownLength, Drainable {
  private final List<byte[]> pieces;
  private int next;

  /** Where the piece before the next one is read on. */
  private int position;

  private byte[] piece = {};
  private int left;

  /** Takes over the pieces. */
  WrittenMessage(List<byte[]> pieces) {
    this.pieces = pieces;
    for (byte[] bytes : pieces) {
      left = Math.addExact(left, bytes.length);
    }
  }

  @Override
  public int available() {
    return left;
  }

  @Override
  public int read() {
    if (left == 0) {
      return -1;
    }
    toBytes();
    left--;
    return Byte.toUnsignedInt(piece[position++]);
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    if (left == 0) {
      return -1;
    }
    toBytes();
    int n = Math.min(length, piece.length - position);
    System.arraycopy(piece, position, target, offset, n);
    position += n;
    left -= n;
    return n;
  }

  @Override
  public int drainTo(OutputStream target) throws IOException {
    int n = left;
    while (left > 0) {
      toBytes();
      int length = piece.length - position;
      target.write(piece, position, length);
      position += length;
      left -= length;
    }
    return n;
  }

  /** To the next piece, where one is read to its end; there is one that has bytes. */
  private void toBytes() {
    while (position == piece.length) {
      piece = pieces.get(next++);
      position = 0;
    }
  }
}
