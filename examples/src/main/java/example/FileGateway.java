package example;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.library.FerryClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/**
 * A web service whose files are on a Ferry server. It passes bodies of requests on to Ferry and
 * files of Ferry on to its clients, without a temporary file and without holding them in memory.
 */
public final class FileGateway {
  private final FerryClient ferry;

  private FileGateway(FerryClient ferry) {
    this.ferry = ferry;
  }

  /** Starts the service on a port of this machine; 0 selects a free one. */
  public static HttpServer start(FerryClient ferry, int port) throws IOException {
    FileGateway gateway = new FileGateway(ferry);
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    HttpServer server = HttpServer.create(address, 0);
    server.createContext("/", gateway::handle);
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
    return server;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      switch (exchange.getRequestMethod()) {
        case "PUT" -> upload(path, exchange);
        case "GET" -> download(path, exchange);
        default -> exchange.sendResponseHeaders(405, -1);
      }
    }
  }

  private void upload(String path, HttpExchange exchange) throws IOException {
    String stated = exchange.getRequestHeaders().getFirst("Content-Length");
    // With its length, a body that is cut does not become a file.
    long length = stated == null ? -1 : Long.parseLong(stated);
    try (InputStream body = exchange.getRequestBody()) {
      ferry.upload(path, body, length);
      exchange.sendResponseHeaders(201, -1);
    } catch (FerryException e) {
      exchange.sendResponseHeaders(status(e), -1);
    }
  }

  private void download(String path, HttpExchange exchange) throws IOException {
    FileFacts facts;
    try {
      facts = ferry.stat(path);
      if (facts.directory()) {
        throw new FerryException(ErrorKind.NOT_FOUND, path + ": is a folder, not a file");
      }
    } catch (FerryException e) {
      exchange.sendResponseHeaders(status(e), -1);
      return;
    }
    exchange.sendResponseHeaders(200, facts.size() == 0 ? -1 : facts.size());
    try (OutputStream body = exchange.getResponseBody()) {
      // A failure from here on ends the connection, so that the client sees it.
      ferry.download(path, body);
    }
  }

  private static int status(FerryException failure) {
    return switch (failure.kind()) {
      case NOT_FOUND -> 404;
      case INVALID_PATH, INVALID_REQUEST -> 400;
      case TOO_LARGE -> 413;
      default -> 502;
    };
  }
}
