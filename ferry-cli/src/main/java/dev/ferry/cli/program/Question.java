package dev.ferry.cli.program;

import dev.ferry.core.internal.DaemonThreads;
import dev.ferry.core.internal.PlainText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Questions to the user of a terminal. */
public final class Question {
  /** The time between two looks at what ends a question. */
  private static final long LOOK_MILLIS = 200;

  private static final int STDIN = 0;
  private static final int STDERR = 2;

  private Question() {}

  /** Whether somebody can answer: standard input and standard error are a terminal. */
  public static boolean isPossible() {
    return TerminalLine.isTerminal(STDIN) && TerminalLine.isTerminal(STDERR);
  }

  /**
   * Asks a question, and waits for a line that answers it.
   *
   * @return whether the answer is y or yes
   * @throws InterruptedException if the thread is interrupted before
   */
  public static boolean yes(String question, PrintWriter err) throws InterruptedException {
    return yes(question, err, () -> false);
  }

  /**
   * Asks a question.
   *
   * @param over whether there is no time left for an answer, which is then no
   */
  public static boolean yes(String question, PrintWriter err, BooleanSupplier over)
      throws InterruptedException {
    err.print(PlainText.of(question) + " [y/N] ");
    err.flush();
    // A read of standard input cannot be interrupted.
    FutureTask<@Nullable String> answer = new FutureTask<>(Question::readLine);
    Thread unused = DaemonThreads.start("ferry-question", answer);
    while (!over.getAsBoolean()) {
      try {
        String line = answer.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return line != null && line.strip().matches("(?i)y(es)?");
      } catch (ExecutionException e) {
        // Who cannot be heard has not agreed.
        return false;
      } catch (TimeoutException e) {
        // There may still be time.
      }
    }
    err.println();
    return false;
  }

  private static @Nullable String readLine() throws IOException {
    return new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()))
        .readLine();
  }
}
