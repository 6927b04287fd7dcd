package dev.ferry.cli.deploy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A proxy of Debian, with its configuration in {@code deploy}. */
enum ProxyProgram {
  HAPROXY("/usr/sbin/haproxy", "haproxy.cfg") {
    @Override
    List<String> arguments(Path folder, Path config) {
      return List.of("-f", config.toString(), "-db");
    }
  },
  NGINX("/usr/sbin/nginx", "nginx.conf") {
    @Override
    List<String> arguments(Path folder, Path config) {
      // Who is root here may be so in a user namespace alone, in which there is nobody else.
      String settings = "daemon off; user root;";
      return List.of("-p", folder + "/", "-c", config.toString(), "-e", "stderr", "-g", settings);
    }
  };

  /** Ends the proxy at the end of its input, which also the end of a killed JVM brings. */
  private static final String GUARD =
      "\"$@\" </dev/null & child=$!; read -r _; kill $child 2>/dev/null; wait $child";

  private final Path program;
  private final Path config;

  ProxyProgram(String program, String config) {
    this.program = Path.of(program);
    this.config = Path.of("../deploy").resolve(name().toLowerCase(Locale.ROOT)).resolve(config);
  }

  /** What of its command line names its configuration and keeps it in the foreground. */
  abstract List<String> arguments(Path folder, Path config);

  /** The text of the configuration. */
  String config() throws IOException {
    return Files.readString(config);
  }

  /** Whether the nginx of this machine has the directive {@code http2}, as 1.25.1 and newer. */
  static boolean nginxKnowsHttp2() throws IOException {
    Process version =
        new ProcessBuilder(NGINX.program.toString(), "-v").redirectErrorStream(true).start();
    String text = new String(version.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int[] parts =
        Stream.of(text.replaceAll("(?s).*nginx/([0-9.]+).*", "$1").split("\\."))
            .mapToInt(Integer::parseInt)
            .toArray();
    return Arrays.compare(parts, new int[] {1, 25, 1}) >= 0;
  }

  /** Whether it can run; installs it if it is missing. */
  boolean isAvailable() throws Exception {
    return PeerPrograms.isAvailable(program);
  }

  /**
   * Starts it.
   *
   * @param folder for its own files; its log is there as {@code proxy.log}
   * @return a process that ends the proxy at the end of its input
   */
  Process start(Path folder, String text) throws IOException {
    return run(folder, text, List.of("sh", "-c", GUARD, "sh", program.toString()), List.of());
  }

  /**
   * Has it check a configuration, which is valid if the exit code is 0.
   *
   * @param folder for its own files; its log is there as {@code proxy.log}
   * @param option what asks for the check
   */
  Process check(Path folder, String text, String option) throws IOException {
    return run(folder, text, List.of(program.toString()), List.of(option));
  }

  private Process run(Path folder, String text, List<String> start, List<String> options)
      throws IOException {
    Path file = Files.writeString(folder.resolve("proxy.conf"), text);
    List<String> command = new ArrayList<>(start);
    command.addAll(arguments(folder, file));
    command.addAll(options);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("proxy.log").toFile())
        .start();
  }
}
