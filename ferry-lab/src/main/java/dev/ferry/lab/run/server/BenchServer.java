package dev.ferry.lab.run.server;

import dev.ferry.core.FerryVersion;
import dev.ferry.lab.model.Daemon;
import dev.ferry.lab.model.RunDocument.Environment;
import dev.ferry.lab.run.jvm.EnvironmentProbe;
import dev.ferry.lab.run.jvm.JvmFlags;
import dev.ferry.lab.run.jvm.Jvms;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs the servers of rows for the bench of another machine: one at a time, each in a JVM of its
 * own, which ends with the connection that asked for it. {@code close} ends all of them and deletes
 * all files. Thread-safe.
 */
public final class BenchServer implements AutoCloseable {
  /** A bench has one connection, and another one while that ends. */
  private static final int MOST_CONNECTIONS = 16;

  /** A server may take this long to end after its connection has. */
  private static final int TURN_SECONDS = 20;

  private final Settings settings;
  private final ServerSocket listener;
  private final Path folder;
  private final SourceFiles sources;
  private final Semaphore turn = new Semaphore(1, true);
  private final Set<ControlSession> sessions = ConcurrentHashMap.newKeySet();

  /**
   * What a bench server is made of.
   *
   * @param address where it listens, and the servers of rows do; port 0 for any
   * @param token what a bench has to know
   * @param version the build; a bench must have the same
   * @param workFolder an existing folder for a new one with temporary files
   * @param keptBytes the size of the files that are kept for further rows, all together
   * @param clock tells when it started
   * @param random makes what connections prove their knowledge of the token with
   * @param log is given a line for everything that a bench is refused, on any thread
   */
  public record Settings(
      InetSocketAddress address,
      BenchToken token,
      FerryVersion version,
      Path workFolder,
      long keptBytes,
      Clock clock,
      SecureRandom random,
      Consumer<String> log) {}

  private BenchServer(Settings settings, ServerSocket listener, Path folder) throws IOException {
    this.settings = settings;
    this.listener = listener;
    this.folder = folder;
    this.sources =
        new SourceFiles(Files.createDirectory(folder.resolve("sources")), settings.keptBytes());
  }

  /**
   * Starts it.
   *
   * @throws IOException if it cannot listen, or has no place for its files
   */
  public static BenchServer start(Settings settings) throws IOException {
    ServerSocket listener = new ServerSocket();
    try {
      listener.setReuseAddress(true);
      listener.bind(settings.address());
      BenchServer server =
          new BenchServer(
              settings, listener, Files.createTempDirectory(settings.workFolder(), "ferry-serve-"));
      Daemon.start("ferry-bench-acceptor", server::accept);
      return server;
    } catch (IOException | RuntimeException e) {
      listener.close();
      throw e;
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        if (sessions.size() >= MOST_CONNECTIONS) {
          socket.close();
          continue;
        }
        ControlSession session = new ControlSession(this, new ControlConnection(socket));
        sessions.add(session);
        Daemon.start("ferry-bench-connection", session::run);
      } catch (IOException e) {
        if (!listener.isClosed()) {
          settings.log().accept("a connection was not accepted: " + e.getMessage());
        }
      }
    }
  }

  Settings settings() {
    return settings;
  }

  SourceFiles sources() {
    return sources;
  }

  /** Waits until no other server of a row runs here. Returns whether that is so. */
  boolean awaitTurn() throws InterruptedException {
    return turn.tryAcquire(TURN_SECONDS, TimeUnit.SECONDS);
  }

  void endTurn() {
    turn.release();
  }

  /** Returns a new folder for the server of a row. */
  Path makeFolder() throws IOException {
    return Files.createTempDirectory(folder, "row-");
  }

  Environment environment(JvmFlags flags) {
    return EnvironmentProbe.probe(
        folder, new Jvms(flags, Jvms.DEFAULT.unnamed(), Map.of()), settings.clock().instant());
  }

  void ended(ControlSession session) {
    sessions.remove(session);
  }

  /** Returns the port on which it listens. */
  public int port() {
    return listener.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    listener.close();
    sessions.forEach(ControlSession::end);
    try {
      // Whose turn it is deletes its files.
      if (awaitTurn()) {
        endTurn();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Folders.delete(folder);
  }
}
