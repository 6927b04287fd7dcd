package dev.ferry.suites.rival.jdk;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.suites.rival.FerryRoutes;
import dev.ferry.suites.rival.PartFile;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The JDK's HTTP server over a folder, on the loopback in plain text, at its defaults: one thread,
 * files copied through streams. It does not compress.
 */
public final class JdkFileServer {
  private JdkFileServer() {}

  /**
   * Starts it on a free port.
   *
   * @param root the folder that it serves
   */
  public static RowServer start(Path root) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(ServerHost.address(), 0), 0);
    server.createContext(FerryRoutes.FILES, exchange -> handle(root, exchange));
    server.start();
    return RowServer.of(server.getAddress().getPort(), () -> server.stop(0));
  }

  private static void handle(Path root, HttpExchange exchange) throws IOException {
    try (exchange) {
      Path file =
          root.resolve(FerryRoutes.storePath(exchange.getRequestURI().getRawPath()).value());
      if (exchange.getRequestMethod().equals("PUT")) {
        PartFile.copy(exchange.getRequestBody(), file);
        exchange.sendResponseHeaders(201, -1);
      } else if (!Files.isRegularFile(file)) {
        exchange.sendResponseHeaders(404, -1);
      } else {
        exchange.sendResponseHeaders(200, Files.size(file));
        try (OutputStream body = exchange.getResponseBody()) {
          Files.copy(file, body);
        }
      }
    }
  }
}
