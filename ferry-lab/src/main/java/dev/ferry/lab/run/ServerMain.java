package dev.ferry.lab.run;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.Usage;
import dev.ferry.lab.run.meter.Meters;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Suites;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * The process of a row's server: starts it, measures itself when told to, and ends with its
 * standard input, which is with the fork that started it, however that ends.
 */
public final class ServerMain {
  /** Longest time for an orderly end, in milliseconds. */
  private static final long PATIENCE_MILLIS = 5_000;

  private ServerMain() {}

  /** Called by a fork, with its job in {@link Job#PROPERTY}. */
  @SuppressWarnings("SystemOut") // The fork listens on standard output.
  public static void main(String[] arguments) {
    PrintStream answers = System.out;
    // Whatever else prints must not be taken for an answer.
    System.setOut(System.err);
    int status = 0;
    try (BufferedReader requests =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      serve(requests, answers);
    } catch (LabException | IOException | RuntimeException e) {
      say(answers, ServerLine.FAILED, Reason.of(e));
      status = 1;
    }
    // Threads of a server that does not stop must not keep the process.
    System.exit(status);
  }

  private static void serve(BufferedReader requests, PrintStream answers)
      throws LabException, IOException {
    Job job = Job.ofFork();
    RowKey row = Objects.requireNonNull(job.row());
    Suite suite = Suites.find(row.suite());
    try (RowServer server = suite.openServer(row, job.workplace());
        Meters meters = new Meters()) {
      say(answers, ServerLine.READY, Integer.toString(server.port()));
      answer(requests, answers, meters, suite.promise(row));
      endSoon();
    }
  }

  private static void answer(
      BufferedReader requests, PrintStream answers, Meters meters, Suite.Promise promise)
      throws IOException {
    String request = requests.readLine();
    while (request != null) {
      switch (request) {
        case ServerLine.START -> {
          // The operation begins with the answer, so the meters run by then: the answer's own
          // kilobyte and some microseconds are measured with it.
          meters.start();
          say(answers, request, "");
        }
        case ServerLine.STOP -> {
          Usage used = meters.stop();
          CodecCheck.require(promise.codec());
          say(answers, request, ServerLine.text(used));
        }
        case ServerLine.COMPILED -> say(answers, request, Long.toString(WarmUp.compiled()));
        case ServerLine.COLLECT -> {
          System.gc();
          say(answers, request, "");
        }
        default -> throw new IOException("unknown request '" + request + "'");
      }
      request = requests.readLine();
    }
  }

  /** Ends the process even where the server does not stop. */
  private static void endSoon() {
    Thread thread =
        new Thread(
            () -> {
              try {
                Thread.sleep(PATIENCE_MILLIS);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              Runtime.getRuntime().halt(1);
            },
            "ferry-end");
    thread.setDaemon(true);
    thread.start();
  }

  private static void say(PrintStream answers, String word, String figures) {
    answers.println(ServerLine.answer(word, figures));
    answers.flush();
  }
}
