package dev.ferry.web;

import dev.ferry.core.FerryException;
import io.netty.buffer.ByteBuf;

/** gRPC's frames in base64. */
final class TextFrames implements FrameCheck {
  private final Frames frames;
  private final TextDecoder decoder;

  TextFrames(Frames frames, Frames.Side side) {
    this.frames = frames;
    this.decoder = new TextDecoder(side);
  }

  @Override
  public void accept(ByteBuf piece) throws FerryException {
    ByteBuf plain = piece.alloc().heapBuffer(TextDecoder.bound(piece.readableBytes()));
    try {
      decoder.decode(piece.duplicate(), plain);
      frames.accept(plain);
    } finally {
      plain.release();
    }
  }

  @Override
  public void end() throws FerryException {
    decoder.end();
    frames.end();
  }
}
