package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients that are opened and closed again and again, by threads that live longer than they. What a
 * closed client keeps until the garbage collector finds it counts, too.
 */
@Timeout(300)
final class ManyClientsTest {
  private static final int THREADS = 8;
  private static final int WARM_UP = 3;
  private static final int CLIENTS = 25;
  private static final int SIZE = 300_000;

  /** Clients that keep 100 KB each exceed this. */
  private static final long MOST_GROWTH = 20L * 1024 * 1024;

  @TempDir Path root;
  @TempDir Path local;

  @ParameterizedTest
  @EnumSource(names = {"GRPC", "HTTP"})
  void close_hundredsOfClients_keepsNoDirectMemory(Ways way) throws Exception {
    Path source = TestFiles.write(local.resolve("source"), TestFiles.random(SIZE, 1));
    ExecutorService callers = Executors.newFixedThreadPool(THREADS);
    try (ServerPort server = way.serve(LocalFileStore.open(root), ServerSettings.defaults())) {
      useClients(callers, WARM_UP, way, server, source);
      long before = directMemory();
      long most = useClients(callers, CLIENTS, way, server, source);
      assertThat(most - before).isLessThan(MOST_GROWTH);
    } finally {
      callers.shutdownNow();
    }
  }

  /** Returns the most direct memory that was in use after a client was closed, in bytes. */
  private long useClients(
      ExecutorService callers, int clients, Ways way, ServerPort server, Path source)
      throws Exception {
    List<Future<Long>> ends = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      StorePath name = new StorePath("f" + i);
      ends.add(
          callers.submit(
              () -> {
                long most = 0;
                for (int k = 0; k < clients; k++) {
                  try (Carrier carrier = way.connect(server.port(), null)) {
                    carrier.upload(source, name, TransferOptions.DEFAULT);
                    carrier.stat(name, null, CallLimits.DEFAULT);
                  }
                  most = Math.max(most, directMemory());
                }
                return most;
              }));
    }
    long most = 0;
    for (Future<Long> end : ends) {
      most = Math.max(most, end.get());
    }
    return most;
  }

  private static long directMemory() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
