package dev.ferry.lab.suite;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What a program has said when it ended.
 *
 * @param text its output and its errors together
 */
public record ProgramOutput(int exitCode, String text) {
  /**
   * Runs a program to its end.
   *
   * @param input its standard input
   * @throws InterruptedIOException if the thread is interrupted; the program is killed and has
   *     ended
   */
  public static ProgramOutput of(List<String> command, String input) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      try (Writer in = process.outputWriter(StandardCharsets.UTF_8)) {
        in.write(input);
      }
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new ProgramOutput(process.waitFor(), text);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + command.get(0) + " ran");
    } finally {
      if (process.isAlive()) {
        process.destroyForcibly().onExit().join();
      }
    }
  }
}
