package dev.ferry.lab.run.server;

import dev.ferry.lab.model.Daemon;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.run.meter.Meters;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.TargetFolder;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The server of a row in a separate JVM, on this machine or on another one, and the requests for
 * its figures. It ends when this process ends for any reason. Used by one thread, except for the
 * uploads.
 */
public final class ServerProcess implements RowServer, TargetFolder {
  /**
   * The maximum time for a response. A full garbage collection on a busy machine is the slowest.
   */
  private static final int ANSWER_SECONDS = 60;

  /**
   * The maximum time for an orderly shutdown. It includes the time that the server allows itself.
   */
  private static final int END_SECONDS = 10;

  /** The time after a broken connection during which the server may still be about to die. */
  private static final int DYING_SECONDS = 2;

  /** There is one response for a request; only a server that is none of ours sends more. */
  private static final int MOST_ANSWERS = 16;

  /** Marks the end of the responses. */
  private static final String END = "";

  private final ServerJvm jvm;
  private final boolean remote;

  /** The responses of the process. After its end, {@link #END} stays in the queue. */
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  private int port;

  private ServerProcess(ServerJvm jvm, boolean remote) {
    this.jvm = jvm;
    this.remote = remote;
    Daemon.start("ferry-server-answers", this::read);
  }

  /**
   * Starts the server of this fork's job and waits until it listens.
   *
   * @throws IOException with the reason if the server does not start; no process is left then
   */
  public static ServerProcess start() throws IOException {
    ServerProcess server = new ServerProcess(LocalJvm.start(), false);
    server.awaitReady(null);
    return server;
  }

  /**
   * Starts the server of a row on another machine and waits until it listens.
   *
   * @param row the row
   * @param workplace that of the client. The server has the same file; what it leaves for its
   *     client, such as a certificate, is written to the store
   * @param lost called once by another thread if the connection to the machine ends before the
   *     server and before {@link #close}; it must not wait
   * @throws IOException with the reason if the server does not start; no process is left then
   */
  public static ServerProcess startOn(
      RemoteServer machine, RowKey row, Workplace workplace, Runnable lost) throws IOException {
    ServerRequest request =
        machine.request(row, workplace.source(), workplace.size(), workplace.sha256().toHex());
    ServerProcess server =
        new ServerProcess(RemoteJvm.start(machine, request, workplace.source(), lost), true);
    server.awaitReady(new ServerFiles(workplace.store()));
    return server;
  }

  private void awaitReady(@Nullable ServerFiles copies) throws IOException {
    try {
      port = Integer.parseInt(answer(ServerLine.READY));
      if (copies != null) {
        copies.write(ask(ServerLine.LEFT));
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private void read() {
    try {
      for (String line = jvm.readLine(); line != null; line = jvm.readLine()) {
        if (!ServerLine.isAnswer(line)) {
          print(line);
        } else if (answers.size() < MOST_ANSWERS) {
          answers.add(line);
        } else {
          throw new IOException("there are more of them than requests");
        }
      }
    } catch (IOException e) {
      print("the server's answers cannot be read: " + e.getMessage());
    }
    answers.add(END);
  }

  @SuppressWarnings("SystemOut") // It goes to the run's log.
  private static void print(String line) {
    System.err.println(line);
  }

  @Override
  public int port() {
    return port;
  }

  /** Returns whether the server is on another machine. */
  public boolean isRemote() {
    return remote;
  }

  @Override
  public Content read(String name) throws IOException {
    return ServerFiles.content(ask(ServerLine.READ + " " + name));
  }

  @Override
  public void delete(String name) throws IOException {
    ask(ServerLine.DELETE + " " + name);
  }

  @Override
  public void renew(String name) throws IOException {
    ask(ServerLine.RENEW + " " + name);
  }

  /** Starts the meters, just before an operation. */
  public void startMeters() throws IOException {
    ask(ServerLine.START);
  }

  /** Stops the meters, just after an operation. Returns the figures of the server. */
  public Meters.Figures stopMeters() throws IOException {
    return ControlLine.JSON.readValue(ask(ServerLine.STOP), Meters.Figures.class);
  }

  /** Returns the nanoseconds that the compiler of the server's JVM has worked. */
  public long compilerNanos() throws IOException {
    return Long.parseLong(ask(ServerLine.COMPILED));
  }

  /** Triggers a garbage collection in the server. */
  public void collect() throws IOException {
    ask(ServerLine.COLLECT);
  }

  /**
   * Returns the real cause of a failure: the death of the server if it has died, else the failure
   * itself.
   */
  public Exception causeOf(Exception failure) {
    return waitFor(DYING_SECONDS) ? new IOException(died(), failure) : failure;
  }

  private synchronized String ask(String request) throws IOException {
    try {
      jvm.send(request);
    } catch (IOException e) {
      throw new IOException(
          waitFor(DYING_SECONDS) ? died() : "the server's JVM does not listen", e);
    }
    return answer(request.split(" ", 2)[0]);
  }

  private String answer(String word) throws IOException {
    String line;
    try {
      line = answers.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for the server's JVM", e);
    }
    if (line == null) {
      throw new IOException(
          "the server's JVM did not answer '" + word + "' in " + ANSWER_SECONDS + " s" + seeLog());
    }
    if (line.equals(END)) {
      answers.add(END);
      throw new IOException(
          waitFor(DYING_SECONDS) ? died() : "the server's JVM fell silent" + seeLog());
    }
    String figures = ServerLine.figures(line, word);
    if (figures == null) {
      String reason = ServerLine.figures(line, ServerLine.FAILED);
      throw new IOException(
          reason == null
              ? "the server's JVM answered '" + line + "' to '" + word + "'" + seeLog()
              : "the server failed: " + reason + seeLog());
    }
    return figures;
  }

  private String died() {
    return jvm.end() + seeLog();
  }

  private String seeLog() {
    return "; see " + jvm.log();
  }

  /** Waits for the end of the process. Returns whether it has ended. */
  private boolean waitFor(int seconds) {
    try {
      return jvm.waitFor(seconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Ends the process, by force if it does not end itself. */
  @Override
  public void close() {
    try {
      jvm.endLines();
    } catch (IOException e) {
      // The process has already ended. Only an unsent request is lost.
      print("the server's JVM ended early: " + e.getMessage());
    }
    if (!waitFor(END_SECONDS)) {
      print("the server's JVM did not end in " + END_SECONDS + " s and is killed");
    }
    jvm.kill();
  }
}
