package dev.ferry.lab.run.server;

import dev.ferry.lab.network.WireEnds;
import dev.ferry.lab.run.meter.Meters;
import dev.ferry.lab.suite.Pin;
import dev.ferry.lab.suite.RowServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The server of a row in a separate JVM with the flags and the class path of this JVM, and the
 * requests for its figures. It ends when this process ends for any reason. Used by one thread.
 */
public final class ServerProcess implements RowServer {
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

  /** Marks the end of the responses. */
  private static final String END = "";

  private static final String SEE_LOG = "; see forks.log";

  private final Process process;
  private final Writer requests;

  /** The responses of the process. After its end, {@link #END} stays in the queue. */
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

  private int port;

  private ServerProcess(Process process) {
    this.process = process;
    this.requests = process.outputWriter(StandardCharsets.UTF_8);
    Thread reader = new Thread(this::read, "ferry-server-answers");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts the server of this fork's job and waits until it listens.
   *
   * @throws IOException with the reason if the server does not start; no process is left then
   */
  public static ServerProcess start() throws IOException {
    Pin pin = Pin.ofFork();
    WireEnds ends = WireEnds.ofFork();
    List<String> command = new ArrayList<>(pin == null ? List.of() : pin.serverCommand());
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(ServerProcess::isShared)
        .forEach(command::add);
    command.add("-cp");
    command.add(System.getProperty("java.class.path", ""));
    command.add(ServerMain.class.getName());
    // The output of the process joins the output of this fork, which goes to the log of the run.
    ServerProcess server =
        new ServerProcess(
            new ProcessBuilder(ends == null ? command : ends.server(command))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    try {
      server.port = Integer.parseInt(server.answer(ServerLine.READY));
      return server;
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /** The compiler hints of JMH concern its own loops, and their file may no longer exist. */
  private static boolean isShared(String flag) {
    return !flag.startsWith("-XX:CompileCommand") && !flag.startsWith("-agentlib:jdwp");
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (ServerLine.isAnswer(line)) {
          answers.add(line);
        } else {
          print(line);
        }
      }
    } catch (IOException e) {
      print("the server's answers cannot be read: " + e.getMessage());
    }
    answers.add(END);
  }

  @SuppressWarnings("SystemOut") // JMH writes it to the run's log.
  private static void print(String line) {
    System.err.println(line);
  }

  @Override
  public int port() {
    return port;
  }

  /** Starts the meters, just before an operation. */
  public void startMeters() throws IOException {
    ask(ServerLine.START);
  }

  /** Stops the meters, just after an operation. Returns the figures of the server. */
  public Meters.Figures stopMeters() throws IOException {
    return ServerLine.parse(ask(ServerLine.STOP));
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

  private String ask(String request) throws IOException {
    try {
      requests.write(request + "\n");
      requests.flush();
    } catch (IOException e) {
      throw new IOException(
          waitFor(DYING_SECONDS) ? died() : "the server's JVM does not listen", e);
    }
    return answer(request);
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
          "the server's JVM did not answer '" + word + "' in " + ANSWER_SECONDS + " s" + SEE_LOG);
    }
    if (line.equals(END)) {
      answers.add(END);
      throw new IOException(
          waitFor(DYING_SECONDS) ? died() : "the server's JVM fell silent" + SEE_LOG);
    }
    String figures = ServerLine.figures(line, word);
    if (figures == null) {
      String reason = ServerLine.figures(line, ServerLine.FAILED);
      throw new IOException(
          reason == null
              ? "the server's JVM answered '" + line + "' to '" + word + "'" + SEE_LOG
              : "the server failed: " + reason + SEE_LOG);
    }
    return figures;
  }

  private String died() {
    return "the server's JVM ended with exit code " + process.exitValue() + SEE_LOG;
  }

  /** Waits for the end of the process. Returns whether it has ended. */
  private boolean waitFor(int seconds) {
    try {
      return process.waitFor(seconds, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return !process.isAlive();
    }
  }

  /** Ends the process, by force if it does not end itself. */
  @Override
  public void close() {
    try {
      requests.close();
    } catch (IOException e) {
      // The process has already ended. Only an unsent request is lost.
      print("the server's JVM ended early: " + e.getMessage());
    }
    if (!waitFor(END_SECONDS)) {
      print("the server's JVM did not end in " + END_SECONDS + " s and is killed");
      process.destroyForcibly();
    }
  }
}
