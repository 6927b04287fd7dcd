package dev.ferry.web.internal.frame;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.wire.internal.contract.Limits;

/**
 * Validates the first five bytes of the frames of a request: the flags and the message length. For
 * one body, whose frames come in order.
 */
public final class FrameRules {
  /** Bytes of the flags and the length. */
  public static final int HEADER_BYTES = 5;

  /** The flags of the frame that ends a response. */
  public static final int TRAILERS = 0x80;

  private static final int COMPRESSED = 1;

  /**
   * Maximum size in bytes of a request that is a single message. It names a file or a service, and
   * a path has at most 4096 bytes. Calls about health need no token.
   */
  private static final int MAX_REQUEST = 64 * 1024;

  private final boolean compressed;
  private final boolean many;
  private boolean any;
  private int flags;

  /**
   * Starts before the first frame.
   *
   * @param compressed whether messages may be compressed
   * @param many whether more than one message may come
   */
  public FrameRules(boolean compressed, boolean many) {
    this.compressed = compressed;
    this.many = many;
  }

  /** Checks the flags of the next frame. */
  public void begin(int value) throws FerryException {
    if ((value & ~COMPRESSED) != 0) {
      throw unsound("a frame has the unknown flags 0x%02x".formatted(value));
    }
    flags = value;
    if (isCompressed() && !compressed) {
      throw unsound("a message is compressed, and no grpc-encoding says how");
    }
    if (any && !many) {
      throw unsound("a second message came where one is all there is");
    }
    any = true;
  }

  /**
   * Checks the length of the current frame.
   *
   * @param length from 0 to 2^32 - 1
   */
  public void length(long length) throws FerryException {
    int limit = many ? Limits.MAX_MESSAGE : MAX_REQUEST;
    if (length > limit) {
      throw new FerryException(
          ErrorKind.TOO_LARGE,
          "the request has a message of " + length + " bytes, over the limit of " + limit);
    }
  }

  /** Returns whether the current frame is compressed. */
  public boolean isCompressed() {
    return (flags & COMPRESSED) != 0;
  }

  /** Returns the failure for a body that ends within a frame. */
  public FerryException cut() {
    return new FerryException(
        ErrorKind.INCOMPLETE, "the request ends within a message; it must come whole");
  }

  /** Returns the failure for a request that is not as gRPC-Web has it. */
  public static FerryException unsound(String why) {
    return new FerryException(ErrorKind.INVALID_REQUEST, "the request is unsound: " + why);
  }
}
