package dev.ferry.grpc.internal.message;

import java.nio.ByteBuffer;
import java.util.List;

/** The payload of a received chunk, in one or more buffers. */
interface Piece {
  /** Returns the payload length in bytes. */
  int length();

  /** Adds views of the payload. They are valid until {@link #release}. */
  void addViews(List<ByteBuffer> target);

  /** Releases the buffers. A second call has no effect. */
  void release();
}
