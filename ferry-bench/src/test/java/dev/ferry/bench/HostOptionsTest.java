package dev.ferry.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong uses of the options for servers on another machine. */
final class HostOptionsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--network=metro | leave out --network, --pin, --url",
        "--pin | leave out --network, --pin, --url",
        "--url=http://localhost/ | leave out --network, --pin, --url",
        "--grpc=localhost:1/a.B/C | leave out --network, --pin, --url, --grpc",
        "--java=/opt/jdk | leave out --network, --pin, --url, --grpc, --java and --jvm-args",
        "--jvm-args=-Xint | leave out --network, --pin, --url, --grpc, --java and --jvm-args",
        "--server=a:b:c | --server: 'a:b:c' is not HOST, HOST:PORT",
        "--ssh --token-file=no-such-file | give --server, and no --token-file",
        "--ssh --server=no-such-host.invalid | no-such-host.invalid is not known here",
        "--token-file=no-such-file | no-such-file cannot be read; give the file with the token"
      })
  void bench_optionsThatDoNotFit_areRefused(String option, String message) {
    List<String> arguments = new ArrayList<>(List.of("bench"));
    arguments.addAll(List.of(option.split(" ")));
    if (!option.contains("--server")) {
      arguments.add("--server=localhost");
    }
    Outcome outcome = Outcome.of(new Main(), arguments.toArray(String[]::new));

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains(message).hasLineCount(1);
  }

  @Test
  void bench_serverWithoutToken_saysWhereItComesFrom() {
    Outcome outcome = Outcome.of(new Main(), "bench", "--server=localhost");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("set FERRY_BENCH_TOKEN, or give --token-file");
  }
}
