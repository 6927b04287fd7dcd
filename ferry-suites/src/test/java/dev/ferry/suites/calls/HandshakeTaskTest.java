package dev.ferry.suites.calls;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.lab.suite.RowServer;
import dev.ferry.suites.calls.ItemsCall.ItemVisitor;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.Items;
import dev.ferry.suites.tls.BareTlsServer;
import dev.ferry.suites.tls.LoopbackTls;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A row that is not what its name says; {@link EveryCallRowTest} runs those that are. */
final class HandshakeTaskTest {
  private static final int CALLS = 2;

  @TempDir Path folder;

  @Test
  void checkAll_sessionsThatAreNotResumed_failsTheRow() throws Exception {
    try (RowServer server =
        BareTlsServer.items(new Items(Backend.SEED), LoopbackTls.server(folder))) {
      LoopbackTls tls = LoopbackTls.client(folder);
      Invoker<Long, ItemVisitor> invoker =
          ItemsCall.bareFresh(new Clients(server.port(), tls, new CallSteps()));
      Invoker<Long, ItemVisitor> forgetting =
          (count, visitor) -> {
            tls.forgetSessions();
            invoker.call(count, visitor);
          };
      try (HandshakeTask task = new HandshakeTask(forgetting, new CallSteps(), "tls", tls, true)) {
        task.prepare();
        for (int i = 0; i < CALLS; i++) {
          task.run(0, i);
        }

        assertThatThrownBy(() -> task.checkAll(CALLS))
            .isInstanceOf(IOException.class)
            .hasMessage("2 of 2 handshakes were full ones, and the others resumed a session");
      }
    }
  }
}
