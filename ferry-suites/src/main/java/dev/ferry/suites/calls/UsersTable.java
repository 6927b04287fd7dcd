package dev.ferry.suites.calls;

import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.suite.Operation;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.Table;
import dev.ferry.lab.suite.Workplace;
import dev.ferry.suites.calls.UsersCall.Page;
import dev.ferry.suites.calls.UsersCall.UserVisitor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Getting a million users in a thousand pages, many pages at once. Each worker has a client or
 * channel of its own, as in the reference: one that is opened once, or, as there, one for each
 * page.
 */
final class UsersTable implements TasksSuite.TaskTable {
  private static final String BASELINE = "WebApiHttp1Async";
  private static final int PAGES = 1_000;

  /** JDK 17's clients cannot be closed: a thousand of them would be a thousand threads. */
  private static final int PAGES_OF_NEW = 48;

  private static final Duration EXPECTED = Duration.ofMillis(1);
  private static final Duration EXPECTED_OF_NEW = Duration.ofMillis(4);

  private final Methods<Way> ways = new Methods<>();

  /** Starts the callers of a row, one for each worker. */
  @FunctionalInterface
  private interface CallersStart {
    Caller<Page, UserVisitor> start(Callers<Page, UserVisitor> callers);
  }

  private record Way(CallServers server, boolean fresh, CallersStart callers) {}

  UsersTable() {
    kept(BASELINE, CallServers.HTTP, Callers::mappedKept);
    kept("GrpcHttp2Async", CallServers.STOCK, Callers::stockKept);
    fresh("WebApiHttp1NewClient", CallServers.HTTP, Callers::mappedFresh);
    fresh("GrpcHttp2NewChannel", CallServers.STOCK, Callers::stockFresh);
    kept("WebApiHttp1Tuned", CallServers.HTTP, Callers::okKept);
    kept("GrpcHttp2Tuned", CallServers.GRPC, Callers::leanKept);
  }

  private void kept(String method, CallServers server, CallersStart callers) {
    ways.add(method, new Way(server, false, callers));
  }

  private void fresh(String method, CallServers server, CallersStart callers) {
    ways.add(method, new Way(server, true, callers));
  }

  @Override
  public Table table() {
    return new Table("users", List.of(), ways.names(), BASELINE).inMicros();
  }

  @Override
  public Load load(RowKey row) {
    return Load.calls(ways.of(row).fresh() ? PAGES_OF_NEW : PAGES, TasksSuite.WORKERS);
  }

  @Override
  public Settings settings(RowKey row, Settings profile) {
    return ways.of(row).fresh() ? Clients.warmedByCalls(profile, PAGES_OF_NEW) : profile;
  }

  @Override
  public Duration expected(RowKey row) {
    return ways.of(row).fresh() ? EXPECTED_OF_NEW : EXPECTED;
  }

  @Override
  public String protocol(RowKey row) {
    return ways.of(row).server().protocol(false);
  }

  @Override
  public RowServer server(RowKey row, Workplace workplace) throws IOException {
    return ways.of(row).server().start(null);
  }

  @Override
  public Operation client(RowKey row, Workplace workplace, int port) throws IOException {
    List<Caller<Page, UserVisitor>> callers = new ArrayList<>();
    List<Steps> steps = new ArrayList<>();
    for (int i = 0; i < TasksSuite.WORKERS; i++) {
      Steps own = new Steps();
      steps.add(own);
      Clients clients = new Clients(port, null, own);
      callers.add(ways.of(row).callers().start(new Callers<>(clients, new UsersCall())));
    }
    return new UsersTask(callers, steps, load(row).operations(), protocol(row));
  }
}
