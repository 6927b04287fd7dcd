package dev.ferry.lab.run.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FerryVersion;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Environment;
import dev.ferry.lab.run.jvm.Collector;
import dev.ferry.lab.suite.ServerHost;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The bench server on another machine, which runs the servers of a run's rows.
 *
 * @param host its name or address
 * @param port its port
 * @param token its secret
 * @param heapBytes the heap of the JVMs that it is to start, in bytes
 * @param collector their garbage collector
 */
public record RemoteServer(
    String host, int port, BenchToken token, long heapBytes, Collector collector) {
  /** The port of a bench server that was given no other. */
  public static final int PORT = 7090;

  private static final int PATIENCE_MILLIS = 20_000;

  /**
   * Connects, and proves to know the token.
   *
   * @throws FerryException if that is not possible, with the remedy
   */
  ControlConnection connect() throws FerryException {
    return connect(FerryVersion.current());
  }

  ControlConnection connect(FerryVersion version) throws FerryException {
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(host, port), PATIENCE_MILLIS);
      socket.setSoTimeout(PATIENCE_MILLIS);
      ControlConnection connection = new ControlConnection(socket);
      greet(connection, version);
      socket.setSoTimeout(0);
      return connection;
    } catch (IOException | IllegalArgumentException e) {
      close(socket);
      if (e instanceof FerryException refused) {
        throw refused;
      }
      throw new FerryException(
          ErrorKind.UNAVAILABLE,
          "no bench server at %s (%s); start ferry serve --bench there"
              .formatted(this, e instanceof SocketTimeoutException ? "no answer" : Reason.of(e)),
          e);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // The connection has failed already.
      return;
    }
  }

  private void greet(ControlConnection connection, FerryVersion version) throws IOException {
    String nonce = ControlLine.rest(answer(connection), ControlLine.GREETING);
    if (nonce == null) {
      throw new IOException("what listens there is something else");
    }
    connection.writeLine(
        ControlLine.of(
            ControlLine.HELLO,
            token.proof(nonce) + " " + version.version() + " " + version.commit()));
    String answer = answer(connection);
    if (ControlLine.rest(answer, ControlLine.WELCOME) == null) {
      throw refused(answer);
    }
  }

  static @Nullable String answer(ControlConnection connection) throws IOException {
    return connection.readLine(ControlConnection.MOST_LINE_BYTES);
  }

  /** Returns the failure for an answer that is not the expected one. */
  FerryException refused(@Nullable String answer) {
    String reason = ControlLine.rest(answer, ControlLine.REFUSED);
    return new FerryException(
        reason == null ? ErrorKind.UNAVAILABLE : ErrorKind.INVALID_REQUEST,
        "the bench server %s %s"
            .formatted(this, reason == null ? "fell silent" : "says: " + reason));
  }

  /**
   * Returns the environment of its machine.
   *
   * @throws FerryException if there is no such server, or if it refuses; one line with the remedy
   */
  public Environment environment() throws IOException {
    try (ControlConnection connection = connect()) {
      connection.socket().setSoTimeout(PATIENCE_MILLIS);
      connection.writeLine(
          ControlLine.of(ControlLine.ENVIRONMENT, heapBytes + " " + collector.name()));
      String answer = answer(connection);
      String json = ControlLine.rest(answer, ControlLine.ENVIRONMENT);
      if (json == null) {
        throw refused(answer);
      }
      Environment environment = ControlLine.JSON.readValue(json, Environment.class);
      if (environment.toString().chars().anyMatch(Character::isISOControl)) {
        throw new IOException("the bench server " + this + " has an environment that is not text");
      }
      return environment;
    }
  }

  /**
   * Checks that the server is still there.
   *
   * @throws FerryException if it is not; one line with the remedy
   */
  public void requireThere() throws IOException {
    connect().close();
  }

  /**
   * Returns the flag with which a fork knows the address of its servers.
   *
   * @throws IOException if the name of the host is not known
   */
  public String hostFlag() throws IOException {
    return ServerHost.flag(InetAddress.getByName(host).getHostAddress());
  }

  /** Returns what to ask for a row. */
  ServerRequest request(RowKey row, Path source, long bytes, String sha256) {
    return new ServerRequest(
        row, String.valueOf(source.getFileName()), bytes, sha256, heapBytes, collector);
  }

  /** Returns host and port. */
  @Override
  public String toString() {
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
  }
}
