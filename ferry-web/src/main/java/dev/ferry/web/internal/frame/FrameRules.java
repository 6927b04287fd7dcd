package dev.ferry.web.internal.frame;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.web.internal.HttpMessageKind;
import dev.ferry.wire.internal.contract.Limits;

/**
 * Validates the first five bytes of frames: the flags and the message length. For one body, whose
 * frames come in order.
 */
public final class FrameRules {
  /** Bytes of the flags and the length. */
  public static final int HEADER_BYTES = 5;

  public static final int COMPRESSED = 1;
  public static final int TRAILERS = 0x80;

  /**
   * Maximum size in bytes of a request that is a single message. It names a file or a service, and
   * a path has at most 4096 bytes. Calls about health need no token.
   */
  private static final int MAX_REQUEST = 64 * 1024;

  private final HttpMessageKind kind;
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
  public FrameRules(HttpMessageKind kind, boolean compressed, boolean many) {
    this.kind = kind;
    this.compressed = compressed;
    this.many = many;
  }

  /** Checks the flags of the next frame. */
  public void begin(int value) throws FerryException {
    if (isTrailers()) {
      throw kind.unsound("something follows its trailers");
    }
    if ((value & ~(COMPRESSED | kind.trailers())) != 0) {
      throw kind.unsound("a frame has the unknown flags 0x%02x".formatted(value));
    }
    flags = value;
    if (isCompressed() && !compressed) {
      throw kind.unsound("a message is compressed, and no grpc-encoding says how");
    }
    if (!isTrailers()) {
      if (any && !many) {
        throw kind.unsound("a second message came where one is all there is");
      }
      any = true;
    }
  }

  /**
   * Checks the length of the current frame.
   *
   * @param length from 0 to 2^32 - 1
   */
  public void length(long length) throws FerryException {
    int limit = limit();
    if (length > limit) {
      throw new FerryException(
          ErrorKind.TOO_LARGE,
          kind.what() + " has a message of " + length + " bytes, over the limit of " + limit);
    }
  }

  private int limit() {
    if (isTrailers()) {
      return WebTrailers.MAX_BYTES;
    }
    return kind == HttpMessageKind.REQUEST && !many ? MAX_REQUEST : Limits.MAX_MESSAGE;
  }

  /** Returns whether the current frame contains the trailers. */
  public boolean isTrailers() {
    return (flags & TRAILERS) != 0;
  }

  /** Returns whether the current frame is compressed. */
  public boolean isCompressed() {
    return (flags & COMPRESSED) != 0;
  }

  /** Returns the failure for a body that ends within a frame. */
  public FerryException cut() {
    return new FerryException(
        ErrorKind.INCOMPLETE, kind.what() + " ends within a message; it must come whole");
  }
}
