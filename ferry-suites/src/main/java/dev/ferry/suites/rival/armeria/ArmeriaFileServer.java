package dev.ferry.suites.rival.armeria;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.file.FileService;
import com.linecorp.armeria.server.file.HttpFile;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionException;

/**
 * Armeria's own service of files over a folder, on the loopback in plain text. It keeps no file in
 * its cache, which {@link HttpFile} has for small ones. Thread-safe.
 */
public final class ArmeriaFileServer implements RowServer {
  private final Server server;

  private ArmeriaFileServer(Server server) {
    this.server = server;
  }

  /**
   * Starts it on a free port.
   *
   * @param root the folder that it serves
   * @throws IOException if it does not start
   */
  public static ArmeriaFileServer start(Path root) throws IOException {
    Server server =
        Server.builder()
            .http(new InetSocketAddress(ServerHost.address(), 0))
            .requestTimeout(Duration.ZERO)
            .bossGroupFactory(ArmeriaSettings::listenerLoop)
            .serviceUnder(HttpRoutes.FILES, FileService.builder(root).maxCacheEntries(0).build())
            .build();
    try {
      server.start().join();
    } catch (CompletionException e) {
      throw new IOException("Armeria does not start: " + Reason.ofCause(e), e);
    }
    return new ArmeriaFileServer(server);
  }

  @Override
  public int port() {
    return server.activeLocalPort();
  }

  /** Stops it and cuts transfers in progress. */
  @Override
  public void close() {
    server.stop().join();
  }
}
