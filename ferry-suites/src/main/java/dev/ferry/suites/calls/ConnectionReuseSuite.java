package dev.ferry.suites.calls;

import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.calls.ItemsCall.ItemVisitor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * One small call through a client that is kept, and through one that is made for it; answers the
 * reference's comparison of both. The server has a process of its own. docs/connection-reuse.md
 * says what each method is.
 *
 * <p>Run it with {@code ./ferry bench --suite connection-reuse}.
 */
public final class ConnectionReuseSuite implements Suite {
  private static final String PLAIN = "plain";
  private static final String TLS = "tls";
  private static final String COUNT = "count";
  private static final String BASELINE = "CallWebAPIEndpointNewHTTPClient";

  private static final int CALLS_OF_KEPT = 100;
  private static final int CALLS_OF_NEW = 10;

  private static final Duration EXPECTED_OF_NEW = Duration.ofMillis(4);
  private static final Duration EXPECTED_OF_KEPT = Duration.ofMillis(1);

  private final Methods<Way> ways = new Methods<>();

  /** Starts the caller of a row. */
  @FunctionalInterface
  private interface CallerStart {
    Caller<Long, ItemVisitor> start(Callers<Long, ItemVisitor> callers);
  }

  /** How a row calls. */
  private record Way(CallServers server, boolean fresh, CallerStart caller) {}

  /** For {@link java.util.ServiceLoader}. */
  public ConnectionReuseSuite() {
    kept("CallGrpcEndpointAsyncReuseChannel", CallServers.STOCK, Callers::stockKept);
    fresh("CallGrpcEndpointAsyncNewChannel", CallServers.STOCK, Callers::stockFresh);
    kept("CallWebAPIEndpointReuseHTTPClient", CallServers.HTTP, Callers::mappedKept);
    kept("GrpcReuseChannelTuned", CallServers.GRPC, Callers::leanKept);
    fresh("GrpcNewChannelTuned", CallServers.GRPC, Callers::leanFresh);
    kept("HttpReuseClientTuned", CallServers.HTTP, Callers::okKept);
    fresh("HttpNewClientSharedThreads", CallServers.HTTP, Callers::mappedFreshSharingThreads);
    fresh("HttpNewClientTuned", CallServers.HTTP, Callers::okFresh);
    fresh("HttpNewConnectionTuned", CallServers.HTTP, Callers::urlFresh);
    fresh(BASELINE, CallServers.HTTP, Callers::mappedFresh);
  }

  private void kept(String method, CallServers server, CallerStart caller) {
    ways.add(method, new Way(server, false, caller));
  }

  private void fresh(String method, CallServers server, CallerStart caller) {
    ways.add(method, new Way(server, true, caller));
  }

  @Override
  public String name() {
    return "connection-reuse";
  }

  @Override
  public String description() {
    return "a call through a client that is kept or made for it";
  }

  @Override
  public List<Table> tables() {
    return List.of(table(PLAIN, "1", "10", "100", "500"), table(TLS, "1", "500"));
  }

  private Table table(String name, String... counts) {
    return new Table(name, List.of(new Parameter(COUNT, List.of(counts))), ways.names(), BASELINE)
        .inMicros();
  }

  @Override
  public Load load(RowKey row) {
    return Load.calls(ways.of(row).fresh() ? CALLS_OF_NEW : CALLS_OF_KEPT, 1);
  }

  @Override
  public Settings settings(RowKey row, Settings profile) {
    return ways.of(row).fresh() ? Clients.warmedByCalls(profile, CALLS_OF_NEW) : profile;
  }

  @Override
  public Duration expected(RowKey row) {
    return ways.of(row).fresh() ? EXPECTED_OF_NEW : EXPECTED_OF_KEPT;
  }

  @Override
  public Promise promise(RowKey row) {
    return new Promise(ways.of(row).server().protocol(overTls(row)), "identity", Codec.NONE, 2);
  }

  @Override
  public List<CeilingName> ceilings(RowKey row) {
    return ways.of(row).fresh() || overTls(row) ? List.of() : List.of(CeilingName.PING_PONG);
  }

  private static boolean overTls(RowKey row) {
    return row.table().equals(TLS);
  }

  @Override
  public RowServer openServer(RowKey row, Workplace workplace) throws IOException {
    return ways.of(row).server().start(overTls(row) ? workplace.store() : null);
  }

  @Override
  public Operation openClient(RowKey row, Workplace workplace, int port) throws IOException {
    Steps steps = new Steps();
    LoopbackTls tls = overTls(row) ? LoopbackTls.client(workplace.store()) : null;
    Caller<Long, ItemVisitor> caller =
        ways.of(row).caller().start(new Callers<>(new Clients(port, tls, steps), new ItemsCall()));
    return new ItemsTask(
        caller, row.longParameter(COUNT), steps, ways.of(row).server().protocol(overTls(row)));
  }
}
