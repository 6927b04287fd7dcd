package dev.ferry.suites.calls;

import dev.ferry.calls.CallClient;
import dev.ferry.calls.grpc.GrpcCallClient;
import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.Table;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;

/** Writing log records, one after the other or many at once. */
final class LogsTable implements TasksSuite.TaskTable {
  private static final String BASELINE = "WebApiHttp1Async";

  /** A thread waits for each call; the others begin the next call when one ends. */
  private static final String BLOCKING = "Blocking";

  private static final int IN_TURN = 200;
  private static final int AT_ONCE = 1_000;

  private static final Duration EXPECTED_IN_TURN = Duration.ofNanos(400_000);
  private static final Duration EXPECTED_AT_ONCE = Duration.ofNanos(200_000);

  private final boolean parallel;
  private final Methods<Method> methods = new Methods<>();

  /** Starts a client of the server on a port. */
  @FunctionalInterface
  private interface ClientStart {
    LogCaller start(Clients clients, int port) throws IOException;
  }

  private record Method(CallServers server, HttpProtocol protocol, ClientStart client) {}

  /**
   * One of the two tables.
   *
   * @param parallel whether {@value TasksSuite#WORKERS} records are under way at once
   */
  LogsTable(boolean parallel) {
    this.parallel = parallel;
    http(
        BASELINE,
        HttpProtocol.HTTP_1_1,
        (clients, port) -> LogCaller.mapped(clients, HttpClient.Version.HTTP_1_1));
    http(
        "WebApiHttp2Async",
        HttpProtocol.H2C,
        (clients, port) -> LogCaller.mapped(clients, HttpClient.Version.HTTP_2));
    methods.add(
        "GrpcHttp2Async",
        new Method(
            CallServers.STOCK, HttpProtocol.H2C, (clients, port) -> LogCaller.stock(clients)));
    for (String end : parallel ? List.of("", BLOCKING) : List.of("")) {
      for (HttpProtocol protocol : HttpProtocol.values()) {
        String version = protocol == HttpProtocol.H2C ? "2" : "1";
        http(
            "WebApiHttp" + version + "Tuned" + end,
            protocol,
            (clients, port) -> LogCaller.of(clients.okHttp(protocol, false)));
      }
      methods.add(
          "GrpcHttp2Tuned" + end,
          new Method(
              CallServers.GRPC, HttpProtocol.H2C, (clients, port) -> LogCaller.of(grpc(port))));
    }
  }

  private void http(String method, HttpProtocol protocol, ClientStart client) {
    methods.add(method, new Method(CallServers.HTTP, protocol, client));
  }

  private static CallClient grpc(int port) {
    return GrpcCallClient.connect(CallServers.HOST, port);
  }

  @Override
  public Table table() {
    String name = parallel ? "logs-parallel" : "logs-sequential";
    return new Table(name, List.of(), methods.names(), BASELINE).inMicros();
  }

  @Override
  public Load load(RowKey row) {
    return parallel ? Load.calls(AT_ONCE, TasksSuite.WORKERS) : Load.calls(IN_TURN, 1);
  }

  @Override
  public Duration expected(RowKey row) {
    return parallel ? EXPECTED_AT_ONCE : EXPECTED_IN_TURN;
  }

  @Override
  public String protocol(RowKey row) {
    return methods.of(row).protocol().wireName();
  }

  @Override
  public List<CeilingName> ceilings(RowKey row) {
    return parallel ? List.of() : List.of(CeilingName.PING_PONG);
  }

  @Override
  public RowServer server(RowKey row, Workplace workplace) throws IOException {
    return methods.of(row).server().start(null);
  }

  @Override
  public Operation client(RowKey row, Workplace workplace, int port) throws IOException {
    boolean waits = !parallel || row.method().endsWith(BLOCKING);
    return client(row, port, waits, load(row).operations());
  }

  /**
   * Starts a client.
   *
   * @param waits whether a thread waits for each call, or the next call begins when one ends
   * @param count records of a sample
   */
  Operation client(RowKey row, int port, boolean waits, int count) throws IOException {
    LogCaller caller = methods.of(row).client().start(new Clients(port, null, Steps.NONE), port);
    return new LogsTask(caller, waits, count, protocol(row));
  }
}
