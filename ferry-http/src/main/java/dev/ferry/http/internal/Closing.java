package dev.ferry.http.internal;

import java.io.Closeable;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes resources whose close failure cannot be reported to a caller. */
public final class Closing {
  private static final Logger LOG = LoggerFactory.getLogger(Closing.class);

  private Closing() {}

  /** Closes a resource. Logs a failure instead of throwing it. */
  public static void quietly(Closeable resource) {
    try {
      resource.close();
    } catch (IOException e) {
      LOG.warn("cannot clean up: {}", e.getMessage());
    }
  }
}
