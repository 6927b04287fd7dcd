package dev.ferry.pack;

import java.io.IOException;

/** Packed bytes are damaged, cut short, or were never packed; the message says in one line what. */
public final class CorruptPackException extends IOException {
  private static final long serialVersionUID = 1;

  CorruptPackException(String message) {
    super(message);
  }

  CorruptPackException(String message, Throwable cause) {
    super(message, cause);
  }
}
