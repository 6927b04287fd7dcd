package dev.ferry.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.ferry.cli.Outcome;
import dev.ferry.cli.Servers;
import dev.ferry.core.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What commands print with --json, --quiet and -v. */
@Timeout(300)
final class JsonOutputTest {
  @TempDir Path root;
  @TempDir Path local;
  private Servers servers;

  @BeforeEach
  void start() throws Exception {
    servers = Servers.start(root);
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  private Outcome run(String... command) {
    String server = "--server=" + servers.address(CarrierChoice.GRPC);
    Outcome outcome =
        Outcome.of(Stream.concat(Stream.of(command), Stream.of(server)).toArray(String[]::new));
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    return outcome;
  }

  /** Runs a command with --json, and checks each of its lines by its schema. */
  private List<String> lines(String schema, String... command) throws IOException {
    Outcome outcome =
        run(Stream.concat(Stream.of(command), Stream.of("--json")).toArray(String[]::new));
    assertThat(outcome.err()).isEmpty();
    String text = Files.readString(Path.of("../docs/json/" + schema + ".schema.json"));
    JsonSchemaFactory schemas = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);
    assertThat(outcome.out()).isNotEmpty();
    for (String line : outcome.out().lines().toList()) {
      assertThat(schemas.getSchema(text).validate(line, InputFormat.JSON)).as(line).isEmpty();
    }
    return outcome.out().lines().toList();
  }

  @Test
  void json_ofEachCommand_isThatOfItsSchema() throws Exception {
    Path file = Files.writeString(local.resolve("a\"b"), "hello");
    String source = file.toString();
    String crc = "\"crc32c\":\"" + Digest.Algorithm.CRC32C.ofFile(file) + "\"";
    assertThat(lines("change", "mkdir", "dir", "other")).hasSize(2);
    assertThat(lines("transfer", "put", source, "dir/f"))
        .singleElement()
        .asString()
        .contains("\"action\":\"transferred\"", "\"target\":\"dir/f\"", "a\\\"b\"", crc);
    assertThat(lines("transfer", "put", source, "dir/f"))
        .singleElement()
        .asString()
        .contains("\"action\":\"unchanged\"", crc);
    Files.writeString(file, "other");
    assertThat(lines("transfer", "get", "dir/f", source, "--no-clobber"))
        .singleElement()
        .asString()
        .contains("\"action\":\"skipped\"");
    assertThat(lines("transfer", "get", "dir/f", source, "--force")).hasSize(1);
    assertThat(lines("facts", "ls")).hasSize(2).first().asString().contains("\"type\":\"folder\"");
    assertThat(lines("facts", "ls", "dir"))
        .singleElement()
        .asString()
        .contains("\"path\":\"dir/f\"", "\"bytes\":5", crc);
    assertThat(lines("facts", "stat", "dir/f", "--digest"))
        .singleElement()
        .asString()
        .contains("\"sha256\":\"");
    assertThat(lines("check", "check", root.toString(), root.toString()))
        .singleElement()
        .asString()
        .contains("\"equal\":1,\"different\":0");
    assertThat(run("stat", "dir/f").out()).containsPattern("(?m)^crc32c    \\p{XDigit}{8}$");
    assertThat(lines("change", "mv", "dir/f", "dir/g"))
        .containsExactly("{\"action\":\"moved\",\"path\":\"dir/f\",\"target\":\"dir/g\"}");
    assertThat(lines("change", "rm", "dir/g"))
        .containsExactly("{\"action\":\"deleted\",\"path\":\"dir/g\"}");
  }

  @Test
  void quietAndVerbose_printLessAndMore() throws Exception {
    String source = Files.writeString(local.resolve("file"), "hello").toString();
    assertThat(run("put", source, "--quiet")).isEqualTo(new Outcome(0, "", ""));
    assertThat(run("get", "file", local.resolve("back").toString(), "-q").out()).isEmpty();
    String reached = " to " + servers.address(CarrierChoice.GRPC) + ", in plain text, without";
    Outcome moved = run("mv", "file", "moved", "-v");
    assertThat(moved.out()).isEmpty();
    assertThat(moved.err().lines())
        .satisfiesExactly(
            // The port speaks gRPC alone.
            line -> assertThat(line).startsWith("ferry mv: http" + reached),
            line -> assertThat(line).startsWith("ferry mv: grpc" + reached),
            line -> assertThat(line).isEqualTo("ferry mv: file -> moved: moved"));
  }
}
