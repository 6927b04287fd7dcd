package dev.ferry.lab.run.server;

import dev.ferry.lab.model.Daemon;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.run.jvm.ForkFlags;
import dev.ferry.lab.run.meter.Meters;
import dev.ferry.lab.run.meter.ThreadMeter;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.Suites;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The main class of the server process of a row or of ceilings. It starts the server and measures
 * its own resource use on request. It ends when its standard input ends, which happens when the
 * process that started it ends for any reason.
 */
public final class ServerMain {
  /** The maximum time of an orderly shutdown in milliseconds. */
  private static final long PATIENCE_MILLIS = 5_000;

  private final PrintStream answers;
  private final Meters meters;
  private final ServerFiles files;
  private final RowSpec.Promise promise;

  private ServerMain(
      PrintStream answers, Meters meters, ServerFiles files, RowSpec.Promise promise) {
    this.answers = answers;
    this.meters = meters;
    this.files = files;
    this.promise = promise;
  }

  /** Called with the job in {@link ForkFlags#JOB}. */
  @SuppressWarnings("SystemOut") // The fork reads standard output.
  public static void main(String[] arguments) {
    PrintStream answers = System.out;
    // Other output must not be parsed as a response.
    System.setOut(System.err);
    int status = 0;
    try (BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      serve(requests, answers);
    } catch (LabException | IOException | RuntimeException e) {
      say(answers, ServerLine.FAILED, Reason.of(e));
      status = 1;
    }
    // Threads of a server that does not stop must not keep the process alive.
    System.exit(status);
  }

  private static void serve(BufferedReader requests, PrintStream answers)
      throws LabException, IOException {
    ServerJob job = ServerJob.read();
    RowSpec row = Suites.row(job.rows().get(0));
    try (RowServer server = row.server().start(job.workplace());
        Meters meters = new Meters()) {
      say(answers, ServerLine.READY, Integer.toString(server.port()));
      ServerMain main =
          new ServerMain(answers, meters, new ServerFiles(job.store()), row.promise());
      for (String line = requests.readLine(); line != null; line = requests.readLine()) {
        main.answer(line);
      }
      endSoon(PATIENCE_MILLIS);
    }
  }

  private void answer(String line) throws IOException {
    String[] request = line.split(" ", 2);
    String word = request[0];
    String name = request.length < 2 ? "" : request[1];
    switch (word) {
      case ServerLine.START -> {
        // The operation starts when the response arrives, so the meters must run before. They
        // include the response, which is about a kilobyte and some microseconds.
        meters.start();
        say(answers, word, "");
      }
      case ServerLine.STOP -> {
        Meters.Figures used = meters.stop();
        CodecCheck.require(promise.codec());
        say(answers, word, ControlLine.JSON.writeValueAsString(used));
      }
      case ServerLine.COMPILED -> say(answers, word, Long.toString(ThreadMeter.compilerNanos()));
      case ServerLine.COLLECT -> {
        System.gc();
        say(answers, word, "");
      }
      case ServerLine.READ -> say(word, () -> files.read(name));
      case ServerLine.DELETE -> say(word, () -> files.delete(name));
      case ServerLine.RENEW -> say(word, () -> files.renew(name));
      case ServerLine.LEFT -> say(word, files::left);
      default -> throw new IOException("unknown request '" + line + "'");
    }
  }

  @FunctionalInterface
  private interface Answer {
    String get() throws IOException;
  }

  /** Answers a request about files. If it fails, the server goes on. */
  private void say(String word, Answer answer) {
    try {
      say(answers, word, answer.get());
    } catch (IOException e) {
      say(answers, ServerLine.FAILED, Reason.of(e));
    }
  }

  /** Ends this process after a time, even if what it does then does not stop. */
  public static void endSoon(long millis) {
    Daemon.start(
        "ferry-end",
        () -> {
          try {
            Thread.sleep(millis);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          Runtime.getRuntime().halt(1);
        });
  }

  private static void say(PrintStream answers, String word, String figures) {
    answers.println(ServerLine.answer(word, figures));
    answers.flush();
  }
}
