package dev.ferry.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Outcome;
import dev.ferry.cli.Peers;
import dev.ferry.cli.Servers;
import dev.ferry.cli.client.CarrierChoice;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Three servers over one folder behind a proxy, with the ports of its configuration replaced. */
final class ProxiedServers implements AutoCloseable {
  private static final int SERVERS = 3;
  private static final int ATTEMPTS = 500;
  private static final int ATTEMPT_MILLIS = 20;

  /** The ports of the configurations: those of the proxy, and three of each server. */
  private static final Pattern PORT = Pattern.compile("\\b7(?:0[78]0|1[789][123])\\b");

  private static final int FRONT_GRPC = 7070;
  private static final int FRONT_HTTP = 7080;
  private static final int GRPC = 7170;
  private static final int HTTP = 7180;
  private static final int ADMIN = 7190;

  private final List<ServerProcess> servers = new ArrayList<>();
  private final Map<Integer, Integer> ports = new HashMap<>();
  private final Path folder;
  private final Path token;
  private final Process proxy;

  /**
   * Starts all, and waits until the proxy passes requests to all servers.
   *
   * @param root the folder that they serve
   * @param folder for callers and logs
   */
  ProxiedServers(ProxyProgram program, Path root, Path folder) throws Exception {
    this.folder = folder;
    Path callers = folder.resolve("callers");
    // Slow servers, since what sockets and proxies hold would otherwise be most of a file.
    Outcome added = Outcome.of("token", "add", callers.toString(), "test", "all:/", "bytes:4M/s");
    assertThat(added.exitCode()).as(added.err()).isZero();
    token = Files.writeString(folder.resolve("token"), added.out());
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    for (int i = 1; i <= SERVERS; i++) {
      servers.add(new ServerProcess(root, callers, folder.resolve("server-" + i + ".err")));
    }
    for (int i = 1; i <= SERVERS; i++) {
      ServerProcess server = servers.get(i - 1);
      server.await();
      ports.put(GRPC + i, server.grpc());
      ports.put(HTTP + i, server.http());
      ports.put(ADMIN + i, server.admin());
    }
    ports.put(FRONT_GRPC, Peers.nobody());
    ports.put(FRONT_HTTP, Peers.nobody());
    proxy = program.start(folder, PORT.matcher(program.config()).replaceAll(this::port));
    awaitPort(FRONT_GRPC);
    awaitPort(FRONT_HTTP);
  }

  private String port(MatchResult match) {
    return String.valueOf(ports.get(Integer.valueOf(match.group())));
  }

  private void awaitPort(int configured) throws Exception {
    for (int attempt = 1; ; attempt++) {
      try (Socket socket =
          new Socket(InetAddress.getByName(Servers.HOST), ports.getOrDefault(configured, 0))) {
        assertThat(socket.isConnected()).isTrue();
        return;
      } catch (IOException e) {
        assertThat(proxy.isAlive() && attempt < ATTEMPTS).as(log()).isTrue();
        Thread.sleep(ATTEMPT_MILLIS);
      }
    }
  }

  List<ServerProcess> servers() {
    return servers;
  }

  /** The options of a client that goes through the proxy. */
  List<String> client(CarrierChoice carrier) {
    int port = carrier == CarrierChoice.GRPC ? FRONT_GRPC : FRONT_HTTP;
    return List.of(
        "--server=" + Servers.HOST + ":" + ports.get(port),
        "--carrier=" + carrier,
        "--token-file=" + token,
        "--retry-for=30s");
  }

  /** What the proxy has logged. */
  String log() throws IOException {
    return Files.readString(folder.resolve("proxy.log"));
  }

  @Override
  public void close() throws IOException, InterruptedException {
    proxy.getOutputStream().close();
    proxy.waitFor();
    for (ServerProcess server : servers) {
      server.close();
    }
  }
}
