package dev.ferry.compress;

import java.io.IOException;

/**
 * Compressed bytes are damaged, cut short, or were never compressed; the message says in one line
 * what.
 */
public final class CorruptDataException extends IOException {
  private static final long serialVersionUID = 1;

  CorruptDataException(String message) {
    super(message);
  }

  CorruptDataException(String message, Throwable cause) {
    super(message, cause);
  }
}
