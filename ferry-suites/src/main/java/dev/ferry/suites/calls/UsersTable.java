package dev.ferry.suites.calls;

import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RowSpec.Bounds;
import dev.ferry.lab.suite.RowSpec.Needs;
import dev.ferry.lab.suite.RowSpec.Work;
import dev.ferry.lab.suite.Table;
import dev.ferry.suites.calls.UsersCall.Page;
import dev.ferry.suites.calls.UsersCall.UserVisitor;
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

  private final TableMethods<CallMethod<Page, UserVisitor>> methods =
      new TableMethods<CallMethod<Page, UserVisitor>>()
          .add(BASELINE, CallMethod.kept(CallServers.HTTP, Invokers::mappedKept))
          .add("GrpcHttp2Async", CallMethod.kept(CallServers.STOCK, Invokers::stockKept))
          .add("WebApiHttp1NewClient", CallMethod.fresh(CallServers.HTTP, Invokers::mappedFresh))
          .add("GrpcHttp2NewChannel", CallMethod.fresh(CallServers.STOCK, Invokers::stockFresh))
          .add("WebApiHttp1Tuned", CallMethod.kept(CallServers.HTTP, Invokers::okKept))
          .add("GrpcHttp2Tuned", CallMethod.kept(CallServers.GRPC, Invokers::tunedKept));

  @Override
  public Table table() {
    return new Table("users", List.of(), methods.names(), BASELINE).inMicros();
  }

  @Override
  public RowSpec row(RowKey key) {
    CallMethod<Page, UserVisitor> method = methods.of(key);
    String protocol = method.server().protocol(false);
    Work work =
        Work.of(
            Load.calls(method.fresh() ? PAGES_OF_NEW : PAGES, TasksSuite.WORKERS),
            method.fresh() ? EXPECTED_OF_NEW : EXPECTED);
    return new RowSpec(
        key,
        RowSpec.Promise.identity(protocol, 1),
        method.fresh() ? work.with(profile -> Clients.warmedByCalls(profile, PAGES_OF_NEW)) : work,
        Needs.NONE,
        Bounds.NONE,
        workplace -> method.server().start(null),
        (workplace, port) -> {
          List<Invoker<Page, UserVisitor>> invokers = new ArrayList<>();
          List<CallSteps> steps = new ArrayList<>();
          for (int i = 0; i < TasksSuite.WORKERS; i++) {
            CallSteps own = new CallSteps();
            steps.add(own);
            Clients clients = new Clients(port, null, own);
            invokers.add(method.starter().apply(new Invokers<>(clients, new UsersCall())));
          }
          return new UsersTask(invokers, steps, protocol);
        });
  }
}
