package dev.ferry.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.cli.doctor.Finding.Level;
import dev.ferry.core.ByteSize;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MachineChecksTest {
  @Test
  void clock_beforeTheInstallation_isAFault() {
    Instant installed = Instant.parse("2026-01-01T00:00:00Z");

    assertThat(MachineChecks.clock(installed.minusSeconds(1), installed).level())
        .isEqualTo(Level.FAULT);
    assertThat(MachineChecks.clock(installed, installed).level()).isEqualTo(Level.OK);
  }

  @Test
  void descriptors_tooFew_saysHowManyAreNeeded() {
    assertThat(MachineChecks.descriptors(299, 100))
        .returns(Level.NOTE, Finding::level)
        .extracting(Finding::text)
        .asString()
        .contains("ulimit -n 300");
    assertThat(MachineChecks.descriptors(300, 100).level()).isEqualTo(Level.OK);
  }

  @Test
  void buffers_small_saysWhatTheyAllowAndHowToRaiseThem(@TempDir Path system) throws Exception {
    Path folder = Files.createDirectory(system.resolve("ipv4"));
    Files.writeString(folder.resolve("tcp_wmem"), "4096\t16384\t1000000\n");
    Files.writeString(folder.resolve("tcp_rmem"), "4096\t131072\t6291456\n");

    assertThat(MachineChecks.buffers(system))
        .satisfiesExactly(
            sending ->
                assertThat(sending)
                    .isEqualTo(
                        Finding.note(
                            "tcp_wmem",
                            "1.0 MB: one connection sends at most 80 Mbit/s over 100 ms; raise the"
                                + " last value of sysctl net.ipv4.tcp_wmem to 16777216")),
            receiving -> assertThat(receiving.level()).isEqualTo(Level.OK));
    assertThat(MachineChecks.buffers(system.resolve("nowhere"))).isEmpty();
  }

  @Test
  void buffers_ofThisMachine_areThoseOfTheKernel() throws Exception {
    Path system = Path.of("/proc/sys/net");
    Path file = system.resolve("ipv4/tcp_wmem");
    assumeTrue(Files.isReadable(file), "skipped: the kernel does not show " + file);
    Process cat = new ProcessBuilder("cat", file.toString()).start();
    String text = new String(cat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    String most = text.strip().replaceFirst("(?s).*\\s", "");

    assertThat(MachineChecks.buffers(system).get(0).text())
        .startsWith(ByteSize.megabytes(Long.parseLong(most)) + ": ");
  }
}
