package dev.ferry.web.internal.frame;

import dev.ferry.contract.Limits;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.web.internal.Side;

/**
 * What a frame's first five bytes may be: flags and the length of the message behind them. For one
 * body, whose frames come in order.
 */
public final class FrameRules {
  /** Bytes of the flags and the length. */
  public static final int HEADER_BYTES = 5;

  public static final int COMPRESSED = 1;
  public static final int TRAILERS = 0x80;

  private final Side side;
  private final boolean compressed;
  private final boolean many;
  private boolean any;
  private int flags;

  /**
   * Begins before the first frame.
   *
   * @param compressed whether messages may be compressed
   * @param many whether more than one may come
   */
  public FrameRules(Side side, boolean compressed, boolean many) {
    this.side = side;
    this.compressed = compressed;
    this.many = many;
  }

  public Side side() {
    return side;
  }

  /** Takes the flags of the next frame. */
  public void begin(int value) throws FerryException {
    if (isTrailers()) {
      throw side.unsound("something follows its trailers");
    }
    if ((value & ~(COMPRESSED | side.trailers())) != 0) {
      throw side.unsound("a frame has the unknown flags 0x%02x".formatted(value));
    }
    flags = value;
    if (isCompressed() && !compressed) {
      throw side.unsound("a message is compressed, and no grpc-encoding says how");
    }
    if (!isTrailers()) {
      if (any && !many) {
        throw side.unsound("a second message came where one is all there is");
      }
      any = true;
    }
  }

  /**
   * Takes the length of the frame that was begun last.
   *
   * @param length from 0 to 2^32 - 1
   */
  public void length(long length) throws FerryException {
    int limit = isTrailers() ? WebTrailers.MAX_BYTES : Limits.MAX_MESSAGE;
    if (length > limit) {
      throw new FerryException(
          ErrorKind.TOO_LARGE,
          side.what() + " has a message of " + length + " bytes, over the limit of " + limit);
    }
  }

  /** Whether the frame that was begun last is the trailers. */
  public boolean isTrailers() {
    return (flags & TRAILERS) != 0;
  }

  /** Whether the frame that was begun last is compressed. */
  public boolean isCompressed() {
    return (flags & COMPRESSED) != 0;
  }

  /** What a body is that ends within a frame. */
  public FerryException cut() {
    return new FerryException(
        ErrorKind.INCOMPLETE, side.what() + " ends within a message; it must come whole");
  }
}
