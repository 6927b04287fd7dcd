package dev.ferry.http.internal;

import java.io.Closeable;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes what nobody waits for any more. */
public final class Closing {
  private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

  private Closing() {}

  /** Closes and logs a failure, where there is nobody left to tell. */
  public static void quietly(Closeable resource) {
    try {
      resource.close();
    } catch (IOException e) {
      LOG.warn("cannot clean up: {}", e.getMessage());
    }
  }
}
