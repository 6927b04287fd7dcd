package dev.ferry.suites.calls;

import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RowSpec.Bounds;
import dev.ferry.lab.suite.RowSpec.Needs;
import dev.ferry.lab.suite.RowSpec.Work;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import dev.ferry.suites.calls.ItemsCall.ItemVisitor;
import dev.ferry.suites.tls.LoopbackTls;
import dev.ferry.suites.tls.ProviderParameter;
import dev.ferry.wire.TlsProvider;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One small call through a client that is kept, and through one that is made for it; repeats the
 * reference's comparison of both. The server has a process of its own. docs/bench/calls.md says
 * what each method is.
 *
 * <p>Run it with {@code ./ferry bench --suite connection-reuse}.
 */
public final class ConnectionReuseSuite extends Suite {
  private static final String PLAIN = "plain";
  private static final String TLS = "tls";
  private static final String TLS_HANDSHAKE = "tls-handshake";
  private static final String COUNT = "count";

  /** Whether the connections of a row resume a session of TLS. */
  private static final String HANDSHAKE = "Handshake";

  private static final String FULL = "full";
  private static final String RESUMED = "resumed";
  private static final String BASELINE = "CallWebAPIEndpointNewHTTPClient";

  private static final int CALLS_OF_KEPT = 100;
  private static final int CALLS_OF_NEW = 10;

  private static final Duration EXPECTED_OF_NEW = Duration.ofMillis(4);
  private static final Duration EXPECTED_OF_KEPT = Duration.ofMillis(1);

  private final TableMethods<CallMethod<Long, ItemVisitor>> methods =
      new TableMethods<CallMethod<Long, ItemVisitor>>()
          .add(
              "CallGrpcEndpointAsyncReuseChannel",
              CallMethod.kept(CallServers.STOCK, Invokers::stockKept))
          .add(
              "CallGrpcEndpointAsyncNewChannel",
              CallMethod.fresh(CallServers.STOCK, Invokers::stockFresh))
          .add(
              "CallWebAPIEndpointReuseHTTPClient",
              CallMethod.kept(CallServers.HTTP, Invokers::mappedKept))
          .add("GrpcReuseChannelTuned", CallMethod.kept(CallServers.GRPC, Invokers::tunedKept))
          .add("GrpcNewChannelTuned", CallMethod.fresh(CallServers.GRPC, Invokers::tunedFresh))
          .add("HttpReuseClientTuned", CallMethod.kept(CallServers.HTTP, Invokers::okKept))
          .add(
              "HttpNewClientSharedThreads",
              CallMethod.fresh(CallServers.HTTP, Invokers::mappedFreshSharingThreads))
          .add("HttpNewClientTuned", CallMethod.fresh(CallServers.HTTP, Invokers::okFresh))
          .add("HttpNewConnectionTuned", CallMethod.fresh(CallServers.HTTP, Invokers::urlFresh))
          .add(BASELINE, CallMethod.fresh(CallServers.HTTP, Invokers::mappedFresh));

  private final TableMethods<CallMethod<Long, ItemVisitor>> handshakes =
      new TableMethods<CallMethod<Long, ItemVisitor>>()
          .add(
              "TlsSocket",
              CallMethod.fresh(
                  CallServers.BARE_TLS, invokers -> ItemsCall.bareFresh(invokers.clients())))
          .add("GrpcNewChannelTuned", CallMethod.fresh(CallServers.GRPC, Invokers::tunedFresh))
          .add("HttpNewClientTuned", CallMethod.fresh(CallServers.HTTP, Invokers::okFresh))
          .add(BASELINE, CallMethod.fresh(CallServers.HTTP, Invokers::mappedFresh));

  /** For {@link java.util.ServiceLoader}. */
  public ConnectionReuseSuite() {
    super("connection-reuse", "a call through a client that is kept or made for it");
  }

  @Override
  public List<Table> tables() {
    return List.of(
        table(PLAIN, "1", "10", "100", "500"),
        table(TLS, "1", "500"),
        new Table(
                TLS_HANDSHAKE,
                List.of(ProviderParameter.all(), new Parameter(HANDSHAKE, List.of(FULL, RESUMED))),
                handshakes.names(),
                BASELINE)
            .inMicros()
            .onRequest());
  }

  private Table table(String name, String... counts) {
    return new Table(
            name, List.of(new Parameter(COUNT, List.of(counts))), methods.names(), BASELINE)
        .inMicros();
  }

  private static boolean isHandshake(RowKey row) {
    return row.table().equals(TLS_HANDSHAKE);
  }

  @Override
  public RowSpec row(RowKey key) {
    CallMethod<Long, ItemVisitor> method = (isHandshake(key) ? handshakes : methods).of(key);
    boolean overTls = !key.table().equals(PLAIN);
    String protocol = method.server().protocol(overTls);
    Work work =
        Work.of(
            Load.calls(method.fresh() ? CALLS_OF_NEW : CALLS_OF_KEPT, 1),
            method.fresh() ? EXPECTED_OF_NEW : EXPECTED_OF_KEPT);
    return new RowSpec(
        key,
        RowSpec.Promise.identity(protocol, 2),
        method.fresh() ? work.with(profile -> Clients.warmedByCalls(profile, CALLS_OF_NEW)) : work,
        Needs.of(List.of(), () -> ProviderParameter.obstacle(key)),
        method.fresh() || overTls ? Bounds.NONE : Bounds.of(List.of(CeilingName.PING_PONG)),
        workplace ->
            method
                .server()
                .start(
                    overTls
                        ? LoopbackTls.server(workplace.store()).withProvider(provider(key))
                        : null),
        (workplace, port) ->
            connect(
                key,
                method,
                port,
                overTls ? LoopbackTls.client(workplace.store(), provider(key)) : null));
  }

  private static TlsProvider provider(RowKey row) {
    return isHandshake(row) ? ProviderParameter.of(row) : TlsProvider.fastest();
  }

  private static Operation connect(
      RowKey row, CallMethod<Long, ItemVisitor> method, int port, @Nullable LoopbackTls tls)
      throws IOException {
    CallSteps steps = new CallSteps();
    Invoker<Long, ItemVisitor> invoker =
        method.starter().apply(new Invokers<>(new Clients(port, tls, steps), new ItemsCall()));
    String protocol = method.server().protocol(tls != null);
    return tls != null && isHandshake(row)
        ? new HandshakeTask(
            invoker, steps, protocol, tls, RESUMED.equals(row.parameters().get(HANDSHAKE)))
        : new ItemsTask(invoker, row.longParameter(COUNT), steps, protocol);
  }
}
