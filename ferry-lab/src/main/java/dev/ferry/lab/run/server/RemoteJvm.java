package dev.ferry.lab.run.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A JVM that a bench server runs. It ends when the connection to the bench server ends. */
final class RemoteJvm implements ServerJvm {
  /**
   * An operation may wait for a machine that has vanished, and not end by itself. Then this process
   * ends, this long after the connection.
   */
  private static final long DYING_MILLIS = 15_000;

  private final RemoteServer server;
  private final ControlConnection connection;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable String exitCode;
  private volatile boolean ending;

  private RemoteJvm(RemoteServer server, ControlConnection connection) {
    this.server = server;
    this.connection = connection;
  }

  /**
   * Starts the server of a row.
   *
   * @param source the file of the row, which is sent unless the bench server has it
   */
  static RemoteJvm start(RemoteServer server, ServerRequest request, Path source)
      throws IOException {
    ControlConnection connection = server.connect();
    try {
      connection.writeLine(
          ControlLine.of(ControlLine.START, ControlLine.JSON.writeValueAsString(request)));
      String answer = RemoteServer.answer(connection);
      if (ControlLine.rest(answer, ControlLine.SEND) != null) {
        connection.send(source);
      } else if (ControlLine.rest(answer, ControlLine.HAVE) == null) {
        throw server.refused(answer);
      }
      return new RemoteJvm(server, connection);
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public void send(String line) throws IOException {
    connection.writeLine(line);
  }

  @Override
  public @Nullable String readLine() throws IOException {
    String line = null;
    try {
      line = connection.readLine(ControlConnection.MOST_LINE_BYTES);
    } catch (IOException e) {
      if (!ending) {
        linesEnded(true);
        throw e;
      }
    }
    String code = line == null ? null : ServerLine.figures(line, ServerLine.EXIT);
    if (line != null && code == null) {
      // It may be printed on a terminal.
      return line.replaceAll("\\p{Cntrl}", "?");
    }
    exitCode = code;
    linesEnded(code == null && !ending);
    return null;
  }

  private void linesEnded(boolean lost) {
    ended.countDown();
    if (lost) {
      Thread thread = new Thread(RemoteJvm::endSoon, "ferry-server-lost");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static void endSoon() {
    try {
      Thread.sleep(DYING_MILLIS);
      Runtime.getRuntime().halt(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void endLines() throws IOException {
    ending = true;
    connection.endLines();
  }

  @Override
  public boolean waitFor(int seconds) throws InterruptedException {
    return ended.await(seconds, TimeUnit.SECONDS);
  }

  @Override
  public String end() {
    String code = exitCode;
    return code == null
        ? "the connection to the bench server " + server + " ended"
        : "the server's JVM on " + server + " ended with exit code " + code;
  }

  @Override
  public String log() {
    return "the output of serve --bench on " + server;
  }

  @Override
  public void kill() {
    ending = true;
    try {
      connection.close();
    } catch (IOException e) {
      // It is of no more use in any case.
      return;
    }
  }
}
