package dev.ferry.suites.calls;

import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.Parameter;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RowSpec.Bounds;
import dev.ferry.lab.suite.RowSpec.Needs;
import dev.ferry.lab.suite.RowSpec.Work;
import dev.ferry.lab.suite.Table;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Writing log records, one after the other or many at once. */
final class LogsTable implements TasksSuite.TaskTable {
  private static final String BASELINE = "WebApiHttp1Async";

  /** A thread waits for each call; the others begin the next call when one ends. */
  private static final String BLOCKING = "Blocking";

  private static final int IN_TURN = 200;
  private static final int AT_ONCE = 1_000;

  /** How calls of {@link Kind#DISTANCE} follow each other. */
  private static final String ORDER = "Order";

  /** More in turn would take long over a slow network. */
  private static final Map<String, Load> ORDERS = orders();

  private static final Duration EXPECTED_IN_TURN = Duration.ofNanos(400_000);
  private static final Duration EXPECTED_AT_ONCE = Duration.ofNanos(200_000);

  private final Kind kind;
  private final TableMethods<Method> methods = new TableMethods<>();

  /** Starts a caller over one of the clients. */
  @FunctionalInterface
  private interface ClientStart {
    LogCaller start(Clients clients) throws IOException;
  }

  /** One of the tables. */
  enum Kind {
    /** One after the other. */
    SEQUENTIAL("logs-sequential"),
    /** {@value TasksSuite#WORKERS} under way at once. */
    PARALLEL("logs-parallel"),
    /** One, and a hundred in turn and at once: what a network between the ends makes of them. */
    DISTANCE("logs-distance");

    private final String table;

    Kind(String table) {
      this.table = table;
    }
  }

  private record Method(CallServers server, HttpProtocol protocol, ClientStart client) {}

  LogsTable(Kind kind) {
    this.kind = kind;
    http(
        BASELINE,
        HttpProtocol.HTTP_1_1,
        clients -> LogCaller.mapped(clients, HttpClient.Version.HTTP_1_1));
    http(
        "WebApiHttp2Async",
        HttpProtocol.H2C,
        clients -> LogCaller.mapped(clients, HttpClient.Version.HTTP_2));
    methods.add(
        "GrpcHttp2Async",
        new Method(
            CallServers.STOCK, HttpProtocol.H2C, clients -> LogCaller.over(clients.stock())));
    for (String end : kind == Kind.PARALLEL ? List.of("", BLOCKING) : List.of("")) {
      for (HttpProtocol protocol : HttpProtocol.values()) {
        String version = protocol == HttpProtocol.H2C ? "2" : "1";
        http(
            "WebApiHttp" + version + "Tuned" + end,
            protocol,
            clients -> LogCaller.of(clients.okHttp(protocol, false)));
      }
      methods.add(
          "GrpcHttp2Tuned" + end,
          new Method(
              CallServers.GRPC, HttpProtocol.H2C, clients -> LogCaller.over(clients.tuned())));
    }
  }

  private static Map<String, Load> orders() {
    Map<String, Load> orders = new LinkedHashMap<>();
    orders.put("one", Load.calls(1, 1));
    orders.put("in-turn", Load.calls(100, 1));
    orders.put("at-once", Load.calls(100, 100));
    return orders;
  }

  private void http(String method, HttpProtocol protocol, ClientStart client) {
    methods.add(method, new Method(CallServers.HTTP, protocol, client));
  }

  @Override
  public Table table() {
    List<Parameter> parameters =
        kind == Kind.DISTANCE
            ? List.of(new Parameter(ORDER, List.copyOf(ORDERS.keySet())))
            : List.of();
    Table table = new Table(kind.table, parameters, methods.names(), BASELINE).inMicros();
    return kind == Kind.DISTANCE ? table.onRequest() : table;
  }

  @Override
  public RowSpec row(RowKey key) {
    Load load = load(key);
    boolean inTurn = load.workers() == 1;
    boolean waits = inTurn || key.method().endsWith(BLOCKING);
    int count = load.operations();
    int readBack = kind == Kind.DISTANCE ? 1 : count;
    return new RowSpec(
        key,
        RowSpec.Promise.identity(protocol(key), 1),
        Work.of(load, inTurn ? EXPECTED_IN_TURN : EXPECTED_AT_ONCE),
        Needs.NONE,
        inTurn ? Bounds.of(List.of(CeilingName.PING_PONG)) : Bounds.NONE,
        workplace -> methods.of(key).server().start(null),
        (workplace, port) -> client(key, port, waits, count, readBack));
  }

  private Load load(RowKey row) {
    return switch (kind) {
      case SEQUENTIAL -> Load.calls(IN_TURN, 1);
      case PARALLEL -> Load.calls(AT_ONCE, TasksSuite.WORKERS);
      case DISTANCE ->
          Objects.requireNonNull(ORDERS.get(String.valueOf(row.parameters().get(ORDER))));
    };
  }

  private String protocol(RowKey row) {
    return methods.of(row).protocol().wireName();
  }

  /**
   * Starts a client.
   *
   * @param waits whether a thread waits for each call, or the next call begins when one ends
   * @param count records of a sample
   * @param readBack how many of them are read back after it
   */
  Operation client(RowKey row, int port, boolean waits, int count, int readBack)
      throws IOException {
    LogCaller caller = methods.of(row).client().start(new Clients(port, null, CallSteps.NONE));
    return new LogsTask(caller, waits, count, readBack, protocol(row));
  }
}
