package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.wire.internal.TestCertificates;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DoctorCommandTest {
  @TempDir Path folder;

  @Test
  void doctor_healthy_findsNoFaultAndChangesNothing() throws Exception {
    Path certificate =
        Files.writeString(
            folder.resolve("cert.pem"), TestCertificates.loopback().getCertificatePathPEM());
    Path key =
        Files.writeString(
            folder.resolve("key.pem"), TestCertificates.loopback().getPrivateKeyPEM());
    Path served = Files.createDirectory(folder.toRealPath().resolve("served"));

    Outcome outcome =
        Outcome.of(
            "doctor",
            served.toString(),
            "--grpc-port=" + Peers.nobody(),
            "--http-port=" + Peers.nobody(),
            "--tls-cert=" + certificate,
            "--tls-key=" + key);

    assertThat(outcome.exitCode()).as(outcome.out()).isZero();
    assertThat(outcome.out().lines())
        .anyMatch(line -> line.startsWith("ok     folder       " + served + ", "))
        .anyMatch(line -> line.matches("ok +port \\d+ +free on 127.0.0.1, for gRPC"))
        .anyMatch(line -> line.contains("certificate  for localhost, 127.0.0.1, valid for "))
        .anyMatch(line -> line.startsWith("ok     java"))
        .anyMatch(line -> line.startsWith("ok     clock"))
        .anyMatch(line -> line.contains("descriptors"))
        .anyMatch(line -> line.contains("BoringSSL"))
        .anyMatch(line -> line.contains("zstd"))
        .noneMatch(line -> line.startsWith("fault"));
    assertThat(served).isEmptyDirectory();
  }

  @Test
  void doctor_faults_namesEachWithItsRemedyAndExitsWith1() throws Exception {
    Path missing = folder.resolve("missing");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Outcome outcome =
          Outcome.of(
              "doctor",
              missing.toString(),
              "--grpc-port=" + taken.getLocalPort(),
              "--http-port=" + Peers.nobody(),
              "--tls-cert=" + missing,
              "--tls-key=" + missing);

      assertThat(outcome.exitCode()).isEqualTo(1);
      assertThat(outcome.out().lines().filter(line -> line.startsWith("fault")))
          .satisfiesExactly(
              line -> assertThat(line).contains("no such folder; name a folder to serve"),
              line ->
                  assertThat(line)
                      .contains("port " + taken.getLocalPort(), "choose another host or port"),
              line -> assertThat(line).contains("certificate", "no such file; check the path"));
    }
  }
}
