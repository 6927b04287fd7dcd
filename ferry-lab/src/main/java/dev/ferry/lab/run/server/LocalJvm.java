package dev.ferry.lab.run.server;

import dev.ferry.lab.network.WireEnds;
import dev.ferry.lab.suite.Pin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A JVM on this machine, with the flags and the class path of this JVM. It ends when this process
 * ends for any reason.
 */
final class LocalJvm implements ServerJvm {
  private final Process process;
  private final Writer requests;
  private final BufferedReader answers;

  private LocalJvm(Process process) {
    this.process = process;
    this.requests = process.outputWriter(StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Starts the server of this fork's job. */
  static LocalJvm start() throws IOException {
    Pin pin = Pin.ofFork();
    WireEnds ends = WireEnds.ofFork();
    List<String> command = new ArrayList<>(pin == null ? List.of() : pin.serverCommand());
    command.add(Path.of(System.getProperty("java.home", ""), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(LocalJvm::isShared)
        .forEach(command::add);
    command.add("-cp");
    command.add(System.getProperty("java.class.path", ""));
    command.add(ServerMain.class.getName());
    // The output of the process joins the output of this fork, which goes to the log of the run.
    return new LocalJvm(
        new ProcessBuilder(ends == null ? command : ends.server(command))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start());
  }

  /** A debugger has one port for the fork. */
  private static boolean isShared(String flag) {
    return !flag.startsWith("-agentlib:jdwp");
  }

  @Override
  public void send(String line) throws IOException {
    requests.write(line + "\n");
    requests.flush();
  }

  @Override
  public @Nullable String readLine() throws IOException {
    return answers.readLine();
  }

  @Override
  public void endLines() throws IOException {
    requests.close();
  }

  @Override
  public boolean waitFor(int seconds) throws InterruptedException {
    return process.waitFor(seconds, TimeUnit.SECONDS);
  }

  @Override
  public String end() {
    return "the server's JVM ended with exit code " + process.exitValue();
  }

  @Override
  public String log() {
    return "forks.log";
  }

  @Override
  public void kill() {
    process.destroyForcibly();
  }
}
