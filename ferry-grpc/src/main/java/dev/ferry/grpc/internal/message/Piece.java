package dev.ferry.grpc.internal.message;

import java.nio.ByteBuffer;
import java.util.List;

/** The payload of a received chunk, in whatever buffers it stands. */
interface Piece {
  /** Payload bytes. */
  int length();

  /** Adds views of the payload, valid until {@link #release}. */
  void addViews(List<ByteBuffer> target);

  /** Gives the buffers back; a second call is void. */
  void release();
}
