package dev.ferry.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.ferry.cli.Main;
import dev.ferry.s3.store.ProxyStore;
import dev.ferry.s3.store.TestBucket;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** {@code ferry serve s3://...} in a process of its own. */
@Timeout(300)
final class S3ServeTest {
  @TempDir Path home;

  @SuppressWarnings("NullAway.Init")
  private ProxyStore store;

  @SuppressWarnings("NullAway.Init")
  private TestBucket bucket;

  @BeforeEach
  void start() throws Exception {
    store = ProxyStore.start();
    bucket = store.bucket();
  }

  @AfterEach
  void stop() throws Exception {
    store.close();
  }

  private Process serve(String address, Map<String, String> environment) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:+UseSerialGC");
    // Credentials of the user must not be found.
    command.add("-Duser.home=" + home);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("serve", address, "--grpc-port=0", "--http-port=0"));
    command.addAll(
        List.of("--s3-endpoint", bucket.gateways().get(0).toString(), "--s3-path-style"));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("AWS_"));
    builder.environment().put("HOME", home.toString());
    builder.environment().put("AWS_EC2_METADATA_DISABLED", "true");
    builder.environment().putAll(environment);
    return builder.start();
  }

  @Test
  void serve_prefix_servesObjectsAsFiles() throws Exception {
    Process process = serve("s3://ferry/a%20b/c", bucket.environment());
    try (BufferedReader out = process.inputReader();
        S3Client client = bucket.client(0)) {
      String name = bucket.name();
      client.putObject(
          b -> b.bucket(name).key("a%20b/c/folder/there"), RequestBody.fromString("there"));
      assertThat(out.readLine()).startsWith("grpc ").endsWith("  s3://ferry/a%20b/c");
      URI files = URI.create(out.readLine().replaceAll("http +(\\S+) .*", "$1"));
      HttpClient http = HttpClient.newHttpClient();

      HttpResponse<String> there =
          http.send(
              HttpRequest.newBuilder(files.resolve("folder/there")).build(),
              BodyHandlers.ofString());
      assertThat(there.body()).isEqualTo("there");
      HttpResponse<String> put =
          http.send(
              HttpRequest.newBuilder(files.resolve("folder/put"))
                  .PUT(BodyPublishers.ofString("put"))
                  .build(),
              BodyHandlers.ofString());
      assertThat(put.statusCode()).isBetween(200, 204);
      assertThat(
              client
                  .getObjectAsBytes(b -> b.bucket(name).key("a%20b/c/folder/put"))
                  .asString(StandardCharsets.UTF_8))
          .isEqualTo("put");
      HttpResponse<byte[]> zip =
          http.send(
              HttpRequest.newBuilder(files.resolve("?zip")).build(), BodyHandlers.ofByteArray());
      assertThat(entries(zip.body()))
          .containsExactly(
              entry("folder/", ""), entry("folder/put", "put"), entry("folder/there", "there"));
      HttpResponse<byte[]> selected =
          http.send(
              HttpRequest.newBuilder(files.resolve("folder/?zip"))
                  .header("Content-Type", "application/x-www-form-urlencoded")
                  .POST(BodyPublishers.ofString("name=there"))
                  .build(),
              BodyHandlers.ofByteArray());
      assertThat(entries(selected.body())).containsExactly(entry("there", "there"));

      // The method of the process itself closes its output.
      assertThat(process.toHandle().destroy()).isTrue();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(out.readLine()).isEqualTo("stopped");
    } finally {
      process.destroyForcibly();
    }
  }

  private static Map<String, String> entries(byte[] archive) throws IOException {
    Map<String, String> entries = new TreeMap<>();
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        entries.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return entries;
  }

  @Test
  @EnabledIfSystemProperty(
      named = "ferry.thorough",
      matches = "true",
      disabledReason = "-Pthorough")
  void serve_bucketThatDoesNotExist_saysSo() throws Exception {
    Process process = serve("s3://missing", bucket.environment());

    assertThat(process.inputReader().readLine())
        .isEqualTo("ferry serve: s3://missing: the bucket does not exist");
    assertThat(process.waitFor()).isEqualTo(3);
  }

  @Test
  @EnabledIfSystemProperty(
      named = "ferry.thorough",
      matches = "true",
      disabledReason = "-Pthorough")
  void serve_withoutCredentials_saysWhatToSet() throws Exception {
    Process process = serve("s3://ferry", Map.of());

    assertThat(process.inputReader().readLine())
        .isEqualTo(
            "ferry serve: s3://ferry: no credentials; set AWS_ACCESS_KEY_ID and"
                + " AWS_SECRET_ACCESS_KEY, or AWS_PROFILE to a profile in ~/.aws/credentials");
    assertThat(process.waitFor()).isEqualTo(1);
  }
}
