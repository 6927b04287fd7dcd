package dev.ferry.pack;

/** An array that is kept from one message to the next. */
final class Scratch {
  private static final int KEPT_BYTES = 4 << 20;

  private byte[] array = {};

  /** At least that many bytes; what is in them is left over from before. */
  byte[] atLeast(int length) {
    if (array.length >= length) {
      return array;
    }
    byte[] grown = new byte[length];
    if (length <= KEPT_BYTES) {
      // One huge message does not fix what an idle codec holds.
      array = grown;
    }
    return grown;
  }
}
