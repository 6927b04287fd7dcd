package dev.ferry.suites.rival.jdk;

import dev.ferry.core.Carrier;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.JdkHttpCarrier;

/** java.net.http in plain text, as most write it and as fast as it gets. */
public final class JdkClients {
  private JdkClients() {}

  /** Connects, lazily: tuned as Ferry does, else with a new buffer for each read, the baseline. */
  public static Carrier connect(String host, int port, HttpProtocol protocol, boolean tuned) {
    return tuned
        ? JdkHttpCarrier.connectTuned(host, port, protocol, null, null)
        : JdkHttpCarrier.connectPlain(host, port, protocol, null);
  }
}
