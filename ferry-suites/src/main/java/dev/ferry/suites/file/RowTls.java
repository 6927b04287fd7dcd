package dev.ferry.suites.file;

import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.tls.LoopbackTls;
import dev.ferry.suites.tls.ProviderParameter;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.ServerTls;
import dev.ferry.wire.TlsProvider;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * How the two ends of a row encrypt: in plain text, or by TLS 1.3 with a certificate that all rows
 * share, if the table has the parameter of providers. HTTP clients always have the JDK's TLS, so
 * their rows differ in the server's provider.
 */
record RowTls(@Nullable TlsProvider provider) {
  static RowTls of(RowKey row) {
    return new RowTls(ProviderParameter.isOf(row) ? ProviderParameter.of(row) : null);
  }

  /** Returns how HTTP/2 is negotiated. */
  String http2() {
    return provider == null ? FileTransports.H2C : "h2";
  }

  /** Returns what a server has; null if it does not encrypt. */
  @Nullable ServerTls server(Workplace workplace) throws IOException {
    return provider == null ? null : LoopbackTls.server(workplace.store()).withProvider(provider);
  }

  ServerSettings settings(Workplace workplace) throws IOException {
    return ServerSettings.defaults().withTls(server(workplace));
  }

  /** Returns what a client of the workplace's server has; null if it does not encrypt. */
  @Nullable ClientTls client(Workplace workplace) throws IOException {
    return provider == null ? null : LoopbackTls.client(workplace.store(), provider).trust();
  }
}
