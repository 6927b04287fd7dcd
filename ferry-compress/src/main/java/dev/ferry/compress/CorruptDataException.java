package dev.ferry.compress;

import java.io.IOException;

/**
 * Compressed data is damaged, truncated, or not in the format. The message describes the error in
 * one line.
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
