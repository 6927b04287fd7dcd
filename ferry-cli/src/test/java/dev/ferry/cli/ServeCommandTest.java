package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.wire.CallersFile;
import dev.ferry.wire.internal.JdkTls;
import dev.ferry.wire.internal.TestCertificates;
import dev.ferry.wire.internal.TlsContexts;
import io.netty.pkitesting.X509Bundle;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PipedReader;
import java.io.PipedWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
final class ServeCommandTest {
  private static final String DEAD = ".ferry-999999999-1-0123456789abcdef.part";

  @TempDir Path root;
  @TempDir Path local;

  /** The command on a thread of its own. */
  private static final class Serving implements AutoCloseable {
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private final BufferedReader out;
    private final StringWriter err = new StringWriter();
    private final Future<Integer> exitCode;
    private final String grpc;
    private final String http;

    Serving(Path root, String... options) throws IOException {
      PipedWriter pipe = new PipedWriter();
      out = new BufferedReader(new PipedReader(pipe));
      String[] command = {"serve", root.toString(), "--grpc-port=0", "--http-port=0"};
      String[] args = Stream.concat(Stream.of(command), Stream.of(options)).toArray(String[]::new);
      exitCode =
          executor.submit(
              () ->
                  Main.newCommandLine()
                      .setOut(new PrintWriter(pipe, true))
                      .setErr(new PrintWriter(err, true))
                      .execute(args));
      grpc = out.readLine().replaceAll("grpc +(\\S+) .*", "$1");
      http = out.readLine().replaceAll("http +https?://([^/]+)/files/ .*", "$1");
    }

    String address(CarrierChoice carrier) {
      return switch (carrier) {
        case GRPC -> grpc;
        case HTTP -> http;
      };
    }

    /** Stops it as Ctrl-C does; gives the exit code. */
    int interrupt() throws Exception {
      executor.shutdownNow();
      assertThat(out.readLine()).isEqualTo("stopped");
      return exitCode.get(120, TimeUnit.SECONDS);
    }

    @Override
    public void close() throws IOException {
      executor.shutdownNow();
      out.close();
    }
  }

  @Test
  void serve_untilInterrupted_servesAllPortsAndStops() throws Exception {
    Files.writeString(root.resolve("hello.txt"), "hello");
    try (Serving serving = new Serving(root)) {
      assertThat(Outcome.of("ls", "--server", serving.grpc).out()).contains("  hello.txt");
      assertThat(Outcome.of("ls", "--server", serving.http, "--carrier=http").out())
          .contains("  hello.txt");

      assertThat(serving.interrupt()).isZero();
      for (CarrierChoice carrier : CarrierChoice.values()) {
        String server = "--server=" + serving.address(carrier);
        assertThat(Outcome.of("ls", server, "--carrier=" + carrier, "--retries=0").exitCode())
            .isEqualTo(6);
      }
    }
  }

  @Test
  void serve_overWhatKilledProcessesLeft_removesIt() throws Exception {
    Path dead = Files.createFile(Files.createDirectories(root.resolve("a/b")).resolve(DEAD));
    ProcessHandle self = ProcessHandle.current();
    long start = self.info().startInstant().orElseThrow().toEpochMilli();
    Path living =
        Files.createFile(
            root.resolve(".ferry-" + self.pid() + "-" + start + "-0123456789abcdef.part"));
    try (Serving serving = new Serving(root)) {
      while (Files.exists(dead)) {
        Thread.sleep(10);
      }
      assertThat(living).exists();
      assertThat(dead.getParent()).isEmptyDirectory();
      assertThat(serving.interrupt()).isZero();
    }
  }

  @Test
  void serve_readOnly_refusesUploadsOnEveryPort() throws Exception {
    Files.writeString(root.resolve("hello.txt"), "hello");
    Path dead = Files.createFile(root.resolve(DEAD));
    Path file = Files.writeString(local.resolve("new.txt"), "new");
    try (Serving serving = new Serving(root, "--read-only")) {
      for (CarrierChoice carrier : CarrierChoice.values()) {
        String[] server = {"--server=" + serving.address(carrier), "--carrier=" + carrier};
        Path back = local.resolve("back-" + carrier);
        Outcome get = Outcome.of("get", "hello.txt", back.toString(), server[0], server[1]);
        assertThat(get.exitCode()).as(get.err()).isZero();
        for (String name : new String[] {"new.txt", "hello.txt"}) {
          assertThat(Outcome.of("put", "--force", file.toString(), name, server[0], server[1]))
              .isEqualTo(
                  new Outcome(
                      5,
                      "",
                      "ferry put: "
                          + name
                          + ": not changed, this server is read-only; check the permissions there"
                          + System.lineSeparator()));
        }
      }
      assertThat(serving.interrupt()).isZero();
    }
    try (Stream<Path> left = Files.list(root)) {
      assertThat(left).containsExactlyInAnyOrder(root.resolve("hello.txt"), dead);
    }
  }

  @Test
  void serve_whereOthersReachIt_warnsOfEachOptionThatAllowsIt() throws Exception {
    try (Serving serving =
        new Serving(root, "--host=0.0.0.0", "--insecure-no-tls", "--insecure-anyone")) {
      assertThat(serving.err.toString().lines())
          .satisfiesExactly(
              line -> assertThat(line).startsWith("warning: --insecure-no-tls: "),
              line -> assertThat(line).startsWith("warning: --insecure-anyone: "));
      assertThat(Outcome.of("ls", "--server", serving.grpc).exitCode()).isZero();
      assertThat(serving.interrupt()).isZero();
    }
  }

  @Test
  void serve_withCallers_servesThemUntilTheyAreRemoved() throws Exception {
    Files.writeString(root.resolve("hello.txt"), "hello");
    String callers = local.resolve("callers").toString();
    Outcome added = Outcome.of("token", "add", callers, "alice", "all:/");
    String token = "--token-file=" + Files.writeString(local.resolve("token"), added.out());
    try (Serving serving = new Serving(root, "--users=" + callers)) {
      for (CarrierChoice carrier : CarrierChoice.values()) {
        String[] ls = {"ls", "--server=" + serving.address(carrier), "--carrier=" + carrier};
        assertThat(Outcome.of(ls).err()).contains("requires a token");
        assertThat(Outcome.of(ls[0], ls[1], ls[2], token).out()).contains("  hello.txt");
      }
      assertThat(Outcome.of("token", "remove", callers, "alice").exitCode()).isZero();
      Outcome refused = Outcome.of("ls", "--server=" + serving.grpc, token);
      while (refused.exitCode() == 0) {
        refused = Outcome.of("ls", "--server=" + serving.grpc, token);
      }
      assertThat(refused.err()).contains("this server does not know the token of the request");
    }
  }

  @Test
  void serve_verifyDiskAndDurable_takesUploadsOnEveryPort() throws Exception {
    Path file = Files.writeString(local.resolve("new.txt"), "new");
    try (Serving serving = new Serving(root, "--verify-disk", "--durable")) {
      for (CarrierChoice carrier : CarrierChoice.values()) {
        for (String checksum : new String[] {"--checksum=crc32c", "--checksum=none"}) {
          String[] server = {"--server=" + serving.address(carrier), "--carrier=" + carrier};
          String name = carrier + checksum;
          Outcome put = Outcome.of("put", file.toString(), name, server[0], server[1], checksum);
          assertThat(put.err()).isEmpty();
          assertThat(Files.mismatch(root.resolve(name), file)).isEqualTo(-1);
        }
      }
    }
  }

  @Test
  void serve_withCallersThatCannotBeRead_doesNotStart() {
    Path missing = local.resolve("missing");
    assertThat(Outcome.of("serve", root.toString(), "--callers=" + missing))
        .isEqualTo(
            new Outcome(
                3,
                "",
                "ferry serve: "
                    + missing
                    + ": no such file; 'ferry token add "
                    + missing
                    + " NAME RULE' makes it"
                    + System.lineSeparator()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"--callers", "--tls-cert", "--tls-key"})
  void serve_withAFileOfItsOwnInTheServedFolder_doesNotStart(String option) throws Exception {
    X509Bundle certificate = TestCertificates.loopback();
    Path cert = (option.equals("--tls-cert") ? root : local).resolve("cert");
    Path key = (option.equals("--tls-key") ? root : local).resolve("key");
    Path callers = (option.equals("--callers") ? root : local).resolve("callers");
    Files.writeString(cert, certificate.getCertificatePathPEM());
    Files.writeString(key, certificate.getPrivateKeyPEM());
    CallersFile.addToken(callers, "alice", List.of("all:/"));
    String[] files = {"--tls-cert=" + cert, "--tls-key=" + key, "--callers=" + callers};
    Outcome serve = Outcome.of("serve", root.toString(), files[0], files[1], files[2]);
    assertThat(serve)
        .isEqualTo(
            new Outcome(
                2,
                "",
                "ferry serve: "
                    + option
                    + ": "
                    + root.resolve(option.replaceFirst("--(tls-)?", ""))
                    + " is in the folder to serve, "
                    + root.toRealPath()
                    + "; keep it where no client reaches it; try 'ferry serve --help'"
                    + System.lineSeparator()));
  }

  @Test
  void serve_withAKeyThatOthersMayRead_warns() throws Exception {
    X509Bundle certificate = TestCertificates.loopback();
    Path cert = Files.writeString(local.resolve("cert"), certificate.getCertificatePathPEM());
    Path key = Files.writeString(local.resolve("key"), certificate.getPrivateKeyPEM());
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
    try (Serving serving = new Serving(root, "--tls-cert=" + cert, "--tls-key=" + key)) {
      assertThat(serving.err.toString())
          .isEqualTo(
              "warning: "
                  + key
                  + ": other users may read the key; run chmod 600 "
                  + key
                  + System.lineSeparator());
    }
  }

  @Test
  void serve_byAName_listensOnItsAddressAndKnowsTheName() throws Exception {
    try (Serving serving = new Serving(root, "--host=localhost", "--host-name=a.example")) {
      assertThat(serving.http).startsWith("localhost:");
      assertThat(Outcome.of("ls", "--server", serving.http, "--carrier=http").err()).isEmpty();
    }
  }

  @Test
  void serve_withACertificate_speaksTlsOnBothPorts() throws Exception {
    X509Bundle certificate = TestCertificates.loopback();
    Path cert = Files.writeString(local.resolve("cert"), certificate.getCertificatePathPEM());
    Path key = Files.writeString(local.resolve("key"), certificate.getPrivateKeyPEM());
    Path ca = Files.writeString(local.resolve("ca"), TestCertificates.caPem());
    Files.writeString(root.resolve("f"), "contents");
    try (Serving serving = new Serving(root, "--tls-cert=" + cert, "--tls-key=" + key)) {
      for (CarrierChoice carrier : CarrierChoice.values()) {
        Outcome list =
            Outcome.of(
                "ls",
                "--server=" + serving.address(carrier),
                "--carrier=" + carrier,
                "--tls",
                "--ca=" + ca);
        assertThat(list.err()).isEmpty();
        assertThat(list.out()).contains("f");
      }
    }
  }

  @Test
  void serve_tlsMin12_speaksBothVersionsOnBothPorts() throws Exception {
    X509Bundle certificate = TestCertificates.loopback();
    Path cert = Files.writeString(local.resolve("cert"), certificate.getCertificatePathPEM());
    Path key = Files.writeString(local.resolve("key"), certificate.getPrivateKeyPEM());
    SSLContext client = JdkTls.client(TestCertificates.client());
    try (Serving serving =
        new Serving(root, "--tls-cert=" + cert, "--tls-key=" + key, "--tls-min=1.2")) {
      for (String server : List.of(serving.grpc, serving.http)) {
        for (String version : List.of("TLSv1.2", "TLSv1.3")) {
          int port = Integer.parseInt(server.substring(server.lastIndexOf(':') + 1));
          try (SSLSocket socket =
              (SSLSocket) client.getSocketFactory().createSocket(Servers.HOST, port)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setProtocols(new String[] {version});
            parameters.setApplicationProtocols(new String[] {TlsContexts.H2});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            assertThat(socket.getSession().getProtocol()).isEqualTo(version);
          }
        }
      }
    }
  }
}
