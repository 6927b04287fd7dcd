package dev.ferry.suites.rival.armeria;

import com.linecorp.armeria.client.AbstractClientOptionsBuilder;
import com.linecorp.armeria.client.ResponseTimeoutMode;
import java.time.Duration;

/** Armeria's limits of 10 MiB and 15 s on an answer are not for files: a call's deadline is. */
final class NoLimits {
  private NoLimits() {}

  /** Takes a client's limits away, and gives its builder back. */
  static <B extends AbstractClientOptionsBuilder> B on(B client) {
    client
        .maxResponseLength(0)
        .responseTimeout(Duration.ZERO)
        .responseTimeoutMode(ResponseTimeoutMode.FROM_START)
        .writeTimeout(Duration.ZERO);
    return client;
  }
}
