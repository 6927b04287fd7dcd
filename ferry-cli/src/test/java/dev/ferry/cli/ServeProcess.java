package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Starts a server in a process of its own, which a test may kill. */
public final class ServeProcess {
  private static final Pattern PORT = Pattern.compile("127\\.0\\.0\\.1:(\\d+)");

  private ServeProcess() {}

  /** Starts one on free ports, which its output names. */
  public static Process start(Path root) throws IOException {
    return new ProcessBuilder(
            command(
                List.of(PseudoTerminal.SHORT_LIFE),
                root,
                List.of("--grpc-port=0", "--http-port=0")))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /**
   * The command that starts one of this build.
   *
   * @param flags those of the JVM
   * @param options those of {@code serve}
   */
  public static List<String> command(List<String> flags, Path root, List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("serve", root.toString()));
    command.addAll(options);
    return command;
  }

  /** Returns the port in a line of its output. */
  public static int port(String line) {
    Matcher port = PORT.matcher(String.valueOf(line));
    assertThat(port.find()).as(line).isTrue();
    return Integer.parseInt(port.group(1));
  }
}
