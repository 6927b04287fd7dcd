package dev.ferry.web;

import dev.ferry.core.FerryException;
import io.netty.buffer.ByteBuf;

/** Looks at the body of a call as it passes. For one thread at a time. */
sealed interface FrameCheck permits CountedFrames, Frames, TextFrames {
  /** Looks at the readable bytes of a piece, and leaves it as it is. */
  void accept(ByteBuf piece) throws FerryException;

  /** The body has ended. */
  void end() throws FerryException;
}
