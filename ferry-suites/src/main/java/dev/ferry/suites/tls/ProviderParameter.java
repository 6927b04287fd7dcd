package dev.ferry.suites.tls;

import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.wire.TlsProvider;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The provider of a row's TLS as a parameter of tables. */
public final class ProviderParameter {
  private static final String NAME = "Provider";

  private ProviderParameter() {}

  /** Rows of every provider. */
  public static Parameter all() {
    return new Parameter(NAME, Stream.of(TlsProvider.values()).map(TlsProvider::toString).toList());
  }

  /** Rows of the fastest provider that loads on this machine. */
  public static Parameter fastest() {
    return new Parameter(NAME, List.of(TlsProvider.fastest().toString()));
  }

  /** Returns whether the table of a row has the parameter. */
  public static boolean isOf(RowKey row) {
    return row.parameters().containsKey(NAME);
  }

  /** Returns a row without the parameter; the row itself if it has none of its values. */
  public static RowKey without(RowKey row) {
    Map<String, String> others = new LinkedHashMap<>(row.parameters());
    String provider = others.remove(NAME);
    return provider != null && all().values().contains(provider)
        ? new RowKey(row.suite(), row.table(), row.method(), others)
        : row;
  }

  /**
   * Returns the provider of a row.
   *
   * @throws IllegalArgumentException if its table has no such parameter
   */
  public static TlsProvider of(RowKey row) {
    String label = row.parameters().get(NAME);
    return Stream.of(TlsProvider.values())
        .filter(provider -> provider.toString().equals(label))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no provider " + label));
  }

  /**
   * Returns why a row cannot run on this machine, and what helps: one line; empty if its table has
   * no such parameter.
   */
  public static Optional<String> obstacle(RowKey row) {
    TlsProvider provider = isOf(row) ? of(row) : null;
    return provider == null || provider.isAvailable()
        ? Optional.empty()
        : Optional.of(provider + " does not load on this machine; leave its rows out by --filter");
  }
}
