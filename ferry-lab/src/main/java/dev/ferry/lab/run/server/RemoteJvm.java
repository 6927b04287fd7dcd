package dev.ferry.lab.run.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A JVM that a bench server runs. It ends when the connection to the bench server ends. */
final class RemoteJvm implements ServerJvm {
  private final RemoteServer server;
  private final ControlConnection connection;
  private final Runnable lost;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable String exitCode;
  private volatile boolean ending;

  private RemoteJvm(RemoteServer server, ControlConnection connection, Runnable lost) {
    this.server = server;
    this.connection = connection;
    this.lost = lost;
  }

  /**
   * Starts the server of a row.
   *
   * @param source the file of the row, which is sent unless the bench server has it
   * @param lost called once by the thread that reads the lines if the connection ends before the
   *     JVM and before this end of it; it must not wait
   */
  static RemoteJvm start(RemoteServer server, ServerRequest request, Path source, Runnable lost)
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
      return new RemoteJvm(server, connection, lost);
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

  private void linesEnded(boolean early) {
    ended.countDown();
    if (early) {
      lost.run();
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
