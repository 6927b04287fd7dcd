package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A shell command on a real pseudo-terminal, by script(1), with this build's classes. Signals begin
 * as they are for a user: a build in the background of a shell ignores SIGINT, and what it starts
 * would, too.
 */
public final class PseudoTerminal implements AutoCloseable {
  public static final String CTRL_C = "\u0003";
  static final String CTRL_Z = "\u001a";

  /** Starts the {@code ferry} of this build; its arguments follow. */
  public static final String FERRY = ferry(Main.class);

  /** For the JVM of a program that ends before the second compiler pays: a third of its time. */
  public static final String SHORT_LIFE = "-XX:TieredStopAtLevel=1";

  private static final int PATIENCE_SECONDS = 120;

  private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
  private final Process script;
  private final Thread reader;

  /** A command that starts a program of this build; its arguments follow. */
  public static String ferry(Class<?> main) {
    String java = ProcessHandle.current().info().command().orElse("java");
    return "'%s' %s %s".formatted(java, SHORT_LIFE, main.getName());
  }

  /** Starts a command. */
  public PseudoTerminal(String command) throws IOException {
    this(command, "xterm");
  }

  /** Starts a command on a kind of terminal. */
  PseudoTerminal(String command, String kind) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            "env", "--default-signal=INT,HUP,TSTP", "script", "-qec", command, "/dev/null");
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.environment().put("TERM", kind);
    script = builder.redirectErrorStream(true).start();
    reader = new Thread(this::read, "screen");
    reader.start();
  }

  private void read() {
    byte[] buffer = new byte[4096];
    try {
      for (int n; (n = script.getInputStream().read(buffer)) >= 0; ) {
        synchronized (screen) {
          screen.write(buffer, 0, n);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Presses keys. */
  public void type(String keys) throws IOException {
    OutputStream keyboard = script.getOutputStream();
    keyboard.write(keys.getBytes(StandardCharsets.UTF_8));
    keyboard.flush();
  }

  /** All that was printed so far. */
  public String screen() {
    synchronized (screen) {
      return screen.toString(StandardCharsets.UTF_8);
    }
  }

  /** The lines that stay on the screen, without those that are redrawn in place. */
  String[] lines() {
    return Stream.of(screen().split("\r*\n"))
        .map(line -> line.substring(line.lastIndexOf('\r') + 1))
        .map(line -> line.replaceAll("\u001b\\[[?0-9;]*[a-zA-Z]", ""))
        .filter(line -> !line.isBlank())
        .toArray(String[]::new);
  }

  /** Waits until something was printed. */
  public void await(String text) throws InterruptedException {
    await(text, 1);
  }

  /** Waits until something was printed so many times. */
  public void await(String text, int times) throws InterruptedException {
    await(
        () -> screen().split(Pattern.quote(text), -1).length > times,
        () -> times + " times '" + text + "' in " + screen());
  }

  private static void await(BooleanSupplier condition, Supplier<String> what)
      throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      Thread.sleep(10);
    }
    assertThat(condition.getAsBoolean()).as(what.get()).isTrue();
  }

  /** Waits for the end; gives the exit code. */
  public int exitCode() throws InterruptedException {
    assertThat(script.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).as(screen()).isTrue();
    reader.join();
    return script.exitValue();
  }

  /** Closes the terminal, as somebody closes its window. */
  void hangUp() {
    script.destroyForcibly();
  }

  /** Kills what still runs there (SIGKILL), and waits until it is gone. */
  @Override
  public void close() throws InterruptedException {
    List<ProcessHandle> running = script.descendants().toList();
    running.forEach(ProcessHandle::destroyForcibly);
    script.destroyForcibly();
    for (ProcessHandle process : running) {
      await(() -> !process.isAlive(), () -> "process " + process.pid() + " ended");
    }
  }
}
