package dev.ferry.bench;

import dev.ferry.lab.model.Daemon;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Printable;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.run.server.BenchToken;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A {@code ferry serve --bench} that ssh runs on another machine. It ends when this is closed, and
 * also when this program dies: its machine then reads the end of ssh's input.
 */
record SshServer(Process ssh, int port, BenchToken token) implements Closeable {
  /** Names the program to use in place of ssh, which gets the same arguments. */
  static final String VARIABLE = "FERRY_SSH";

  /**
   * What runs there. The subshell waits for the end of the input and then ends the server, which
   * has the process number of the shell by then.
   */
  private static final String SCRIPT =
      "exec 3<&0; (cat <&3; kill $$) >/dev/null 2>&1 &"
          + " exec \"$0\" serve --bench --host=\"$1\" --port=\"$2\" </dev/null 3<&-";

  private static final Pattern BENCH = Pattern.compile("bench +\\S+:(\\d{1,5}) .*");
  private static final Pattern TOKEN = Pattern.compile("token +(\\S+)");
  private static final int PATIENCE_SECONDS = 20;

  /**
   * Starts the server and waits until it listens, on the address that the name of the host has
   * here.
   *
   * @param host a host name for ssh, or an address
   * @param port the port to listen on; 0 for any
   * @param ferry the path of ferry on that machine, or its name if the shell there finds it
   * @param log takes what else ssh and the server print, line by line, from any thread
   * @throws LabException if the server does not run; the message has what ssh said last
   */
  static SshServer start(String host, int port, String ferry, Consumer<String> log)
      throws LabException {
    String program = Objects.requireNonNullElse(System.getenv(VARIABLE), "ssh");
    String command =
        Stream.of("sh", "-c", SCRIPT, ferry, address(host), String.valueOf(port))
            .map(SshServer::quote)
            .collect(Collectors.joining(" "));
    Process ssh;
    try {
      ssh =
          new ProcessBuilder(
                  List.of(
                      program,
                      "-T",
                      "-oBatchMode=yes",
                      "-oConnectTimeout=" + PATIENCE_SECONDS,
                      "-oServerAliveInterval=" + PATIENCE_SECONDS,
                      "--",
                      host,
                      command))
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      throw LabException.usage(
          "--ssh: cannot run %s (%s); install it, or name another program in %s"
              .formatted(program, Reason.of(e), VARIABLE));
    }
    SshServer server = null;
    try {
      server = await(ssh, host, log);
      return server;
    } catch (IOException e) {
      throw LabException.failure("--ssh: no answer of " + host + " (" + Reason.of(e) + ")");
    } finally {
      if (server == null) {
        ssh.destroyForcibly();
      }
    }
  }

  private static String address(String host) throws LabException {
    try {
      return InetAddress.getByName(host).getHostAddress();
    } catch (UnknownHostException e) {
      throw LabException.usage(
          "--ssh: " + host + " is not known here; give a known host name or an address");
    }
  }

  private static String quote(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  private static SshServer await(Process ssh, String host, Consumer<String> log)
      throws IOException, LabException {
    BufferedReader lines = ssh.inputReader();
    String last = "it said nothing";
    int port = 0;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher bench = BENCH.matcher(line);
      Matcher token = TOKEN.matcher(line);
      if (bench.matches()) {
        port = Integer.parseInt(bench.group(1));
      } else if (token.matches()) {
        SshServer server =
            new SshServer(ssh, port, BenchToken.parse(token.group(1), "serve --bench on " + host));
        Daemon.start("ferry-ssh", () -> copy(lines, log));
        return server;
      } else {
        last = Printable.of(line);
        log.accept(last);
      }
    }
    throw LabException.failure(
        "--ssh: no bench server runs on %s (%s); try ssh %s by hand".formatted(host, last, host));
  }

  private static void copy(BufferedReader lines, Consumer<String> log) {
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        log.accept(Printable.of(line));
      }
    } catch (IOException e) {
      // ssh was ended, and with it what it says.
    }
  }

  /** Ends the server, which may take the time that its rows need to end. */
  @Override
  public void close() {
    try {
      ssh.getOutputStream().close();
      if (ssh.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (IOException e) {
      // ssh has ended already.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ssh.destroyForcibly();
  }
}
