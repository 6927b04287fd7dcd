package dev.ferry.web;

import dev.ferry.contract.Limits;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;

/**
 * What a frame's first five bytes may be: a flag and the length of the message behind them. For one
 * stream, whose frames come in order.
 */
final class FrameRules {
  /** Bytes of the flag and the length. */
  static final int HEADER_BYTES = 5;

  private final boolean compressed;
  private final boolean many;
  private boolean any;

  /**
   * Begins before the first frame.
   *
   * @param compressed whether messages may be compressed
   * @param many whether more than one may come
   */
  FrameRules(boolean compressed, boolean many) {
    this.compressed = compressed;
    this.many = many;
  }

  /** Takes the flag of the next message. */
  void begin(int flag) throws FerryException {
    if (flag > 1) {
      throw invalid("a frame has the flags 0x%02x: 0 and 1 are all there is".formatted(flag));
    }
    if (flag == 1 && !compressed) {
      throw invalid("a message is compressed, and no grpc-encoding says how");
    }
    if (any && !many) {
      throw invalid("a second message came where one is all there is");
    }
    any = true;
  }

  /**
   * Takes the length of a message.
   *
   * @param length from 0 to 2^32 - 1
   */
  static void length(long length) throws FerryException {
    if (length > Limits.MAX_MESSAGE) {
      throw new FerryException(
          ErrorKind.TOO_LARGE,
          "a message of " + length + " bytes is over the limit of " + Limits.MAX_MESSAGE);
    }
  }

  /** What a stream is that ends within a frame. */
  static FerryException cut() {
    return new FerryException(
        ErrorKind.INCOMPLETE, "the stream ends within a message; send it whole");
  }

  static FerryException invalid(String why) {
    return new FerryException(ErrorKind.INVALID_REQUEST, why);
  }
}
