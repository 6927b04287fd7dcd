package dev.ferry.wire;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;

/** The library that encrypts the TLS connections of servers and clients on Netty. */
public enum TlsProvider {
  /** BoringSSL, by Netty's tcnative. */
  BORING_SSL("BoringSSL"),
  /** The JDK. */
  JDK("JDK");

  private final String label;

  TlsProvider(String label) {
    this.label = label;
  }

  /** Returns BoringSSL if its library loads on this machine, else the JDK. */
  public static TlsProvider fastest() {
    return BORING_SSL.isAvailable() ? BORING_SSL : JDK;
  }

  /** Returns whether the provider loads on this machine and supports TLS 1.3. */
  public boolean isAvailable() {
    return this == JDK
        || (OpenSsl.isAvailable() && SslProvider.isTlsv13Supported(SslProvider.OPENSSL));
  }

  @Override
  public String toString() {
    return label;
  }
}
