package dev.ferry.zerocopy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** The bytes of a file. */
record FileBytes(FileChannel file) {
  /** Reads without moving the position of the channel. */
  void readAt(ByteBuffer[] targets, long position) throws IOException {
    long at = position;
    for (ByteBuffer target : targets) {
      while (target.hasRemaining()) {
        at += atLeastOne(file.read(target, at), at);
      }
    }
  }

  /** Reads with as few calls as possible, and moves the position of the channel. */
  void readFrom(ByteBuffer[] targets, long position) throws IOException {
    if (targets.length == 1) {
      readAt(targets, position);
      return;
    }
    int first = 0;
    long at = position;
    // FileChannel has no positional scattering read.
    file.position(position);
    while (first < targets.length) {
      if (targets[first].hasRemaining()) {
        at += atLeastOne(file.read(targets, first, targets.length - first), at);
      } else {
        first++;
      }
    }
  }

  private static long atLeastOne(long read, long at) throws IOException {
    if (read < 0) {
      throw new EOFException("the file ends at byte " + at);
    }
    return read;
  }
}
