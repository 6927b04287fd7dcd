package dev.ferry.lab.run.server;

import dev.ferry.core.FerryVersion;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.run.jvm.Collector;
import dev.ferry.lab.run.jvm.JvmFlags;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One connection to a bench server: who it is, and what it asks for. Has a thread of its own. */
final class ControlSession {
  /** The time that a client has to say who it is. */
  private static final int HELLO_SECONDS = 10;

  private final BenchServer server;
  private final ControlConnection connection;
  private volatile boolean known;

  ControlSession(BenchServer server, ControlConnection connection) {
    this.server = server;
    this.connection = connection;
  }

  /** Serves the connection to its end. */
  void run() {
    try (connection) {
      CompletableFuture.delayedExecutor(HELLO_SECONDS, TimeUnit.SECONDS)
          .execute(
              () -> {
                if (!known) {
                  end();
                }
              });
      String refusal = greet();
      if (refusal == null) {
        known = true;
        connection.writeLine(ControlLine.WELCOME);
        refusal = answer();
      }
      if (refusal != null) {
        log(refusal);
        connection.writeLine(ControlLine.of(ControlLine.REFUSED, refusal));
        awaitEnd();
      }
    } catch (IOException | RuntimeException e) {
      log(Reason.of(e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      server.ended(this);
    }
  }

  /** A close with unread bytes would be a reset, which may overtake the reason. */
  private void awaitEnd() throws IOException {
    connection.endLines();
    connection.socket().setSoTimeout((int) TimeUnit.SECONDS.toMillis(HELLO_SECONDS));
    String unused = connection.readLine(ControlLine.MOST_REQUEST_BYTES);
  }

  private void log(String line) {
    server
        .settings()
        .log()
        .accept(connection.socket().getInetAddress().getHostAddress() + ": " + line);
  }

  /** Returns why the client is refused; null if it is not. */
  private @Nullable String greet() throws IOException {
    String nonce = BenchToken.randomHex(server.settings().random());
    connection.writeLine(ControlLine.of(ControlLine.GREETING, nonce));
    String hello =
        ControlLine.rest(connection.readLine(ControlLine.MOST_REQUEST_BYTES), ControlLine.HELLO);
    String[] parts = hello == null ? new String[0] : hello.split(" ", -1);
    if (parts.length != 3) {
      return "this is a bench server; use ferry bench --server";
    }
    if (!server.settings().token().accepts(nonce, parts[0])) {
      return "the token is not its own; give the one that serve --bench printed";
    }
    FerryVersion version = server.settings().version();
    FerryVersion theirs = new FerryVersion(parts[1], parts[2]);
    return version.equals(theirs)
        ? null
        : "it is Ferry %s and the bench is Ferry %s; run the same build on both"
            .formatted(version, theirs);
  }

  /** Answers the request. Returns why it is refused; null if it is not. */
  private @Nullable String answer() throws IOException, InterruptedException {
    String line = connection.readLine(ControlLine.MOST_REQUEST_BYTES);
    String flags = ControlLine.rest(line, ControlLine.ENVIRONMENT);
    String start = ControlLine.rest(line, ControlLine.START);
    try {
      if (flags != null) {
        String environment = ControlLine.JSON.writeValueAsString(server.environment(parse(flags)));
        connection.writeLine(ControlLine.of(ControlLine.ENVIRONMENT, environment));
      } else if (start != null) {
        return serve(ServerRequest.parse(start));
      } else if (line != null) {
        return "the request is not one of this build";
      }
      return null;
    } catch (IOException | RuntimeException e) {
      return Reason.of(e);
    }
  }

  private static JvmFlags parse(String flags) throws IOException {
    String[] parts = flags.split(" ", -1);
    if (parts.length != 2) {
      throw new IOException("the request is not one of this build");
    }
    long heap = Long.parseLong(parts[0]);
    ServerRequest.requireHeap(heap);
    return new JvmFlags(heap, Collector.valueOf(parts[1]), List.of());
  }

  /** Runs the server of a row. Returns why it is not run; null if it was. */
  private @Nullable String serve(ServerRequest request) throws IOException, InterruptedException {
    if (!server.awaitTurn()) {
      return "another bench uses it; wait for its end";
    }
    try {
      SourceFiles sources = server.sources();
      Path source = sources.find(request);
      if (source == null) {
        sources.requireRoom(request);
      }
      connection.writeLine(source == null ? ControlLine.SEND : ControlLine.HAVE);
      serve(request, source);
      return null;
    } finally {
      server.endTurn();
    }
  }

  /** Runs the server of a row that was accepted. */
  private void serve(ServerRequest request, @Nullable Path source)
      throws IOException, InterruptedException {
    try {
      Path file = source == null ? server.sources().receive(request, connection) : source;
      InetAddress address = connection.socket().getLocalAddress();
      try (RowJvm jvm = RowJvm.start(server.makeFolder(), address, request, file)) {
        jvm.relay(connection);
      }
    } catch (IOException e) {
      log(Reason.of(e));
      connection.writeLine(ServerLine.answer(ServerLine.FAILED, Reason.of(e)));
    }
  }

  /** Ends the connection and what it has started. */
  void end() {
    try {
      connection.close();
    } catch (IOException e) {
      log("the connection cannot be closed: " + Reason.of(e));
    }
  }
}
