package dev.ferry.web;

import dev.ferry.core.FerryException;
import dev.ferry.grpc.ArrivedBytes;
import io.netty.buffer.ByteBuf;

/** Looks at frames, and counts the bytes of their messages. */
final class CountedFrames implements FrameCheck {
  private final FrameCheck check;
  private final Frames frames;
  private final ArrivedBytes arrived;
  private long told;

  /**
   * @param check looks at what may be encoded
   * @param frames what it looks at in the end
   */
  CountedFrames(FrameCheck check, Frames frames, ArrivedBytes arrived) {
    this.check = check;
    this.frames = frames;
    this.arrived = arrived;
  }

  @Override
  public void accept(ByteBuf piece) throws FerryException {
    check.accept(piece);
    long now = frames.messageBytes();
    arrived.add(now - told);
    told = now;
  }

  @Override
  public void end() throws FerryException {
    check.end();
  }
}
