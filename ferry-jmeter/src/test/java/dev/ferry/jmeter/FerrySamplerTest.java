package dev.ferry.jmeter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.FileStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.web.WebFiles;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.jmeter.samplers.SampleResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@SuppressWarnings("NullAway.Init") // JUnit sets the fields.
final class FerrySamplerTest {
  private static final String HOST = "127.0.0.1";

  @TempDir Path folder;
  private ServerPort grpc;
  private ServerPort http;

  @BeforeEach
  void start() throws Exception {
    FileStore store = LocalFileStore.open(folder);
    grpc = GrpcFiles.serve(store, HOST, 0, ServerSettings.defaults());
    http = WebFiles.serve(store, HOST, 0, ServerSettings.defaults());
  }

  @AfterEach
  void stop() {
    new FerrySampler().testEnded(HOST);
    grpc.close();
    http.close();
  }

  private FerrySampler sampler(String carrier, String operation, String path, String size) {
    FerrySampler sampler = new FerrySampler();
    sampler.setName("a sampler");
    sampler.setAddress(
        carrier.equals("grpc")
            ? "ferry://" + HOST + ":" + grpc.port()
            : "http://" + HOST + ":" + http.port());
    sampler.setCarrier(carrier);
    sampler.setOperation(operation);
    sampler.setPath(path);
    sampler.setSize(size);
    return sampler;
  }

  private SampleResult sample(String carrier, String operation, String path, String size) {
    return sampler(carrier, operation, path, size).sample(null);
  }

  @ParameterizedTest
  @CsvSource({"grpc", "http", "grpc-web", "grpc-web-text"})
  void sample_ofEachCarrier_movesTheFileAndCountsItsBytes(String carrier) {
    SampleResult put = sample(carrier, "put", "file", "100K");
    assertThat(put.getResponseMessage()).isEqualTo("OK");
    assertThat(put.isSuccessful()).isTrue();
    assertThat(put.getSentBytes()).isEqualTo(100 * 1024);
    assertThat(folder.resolve("file")).hasSize(100 * 1024);

    SampleResult get = sample(carrier, "get", "file", "100K");
    assertThat(get.getResponseMessage()).isEqualTo("OK");
    assertThat(get.getBytesAsLong()).isEqualTo(100 * 1024);
    assertThat(get.getSampleLabel()).isEqualTo("a sampler");
    assertThat(FerrySample.nanosOf(get)).isPositive();

    assertThat(sample(carrier, "stat", "file", "100K").isSuccessful()).isTrue();
    assertThat(sample(carrier, "list", "", "").isSuccessful()).isTrue();
  }

  @Test
  void call_overGrpc_asksForItsHealth() {
    assertThat(sample("grpc", "call", "", "").isSuccessful()).isTrue();
    assertFailed(sample("http", "call", "", ""), "INVALID_REQUEST", "needs grpc");
  }

  @Test
  void failure_hasTheErrorKindAsItsCode() throws Exception {
    Files.writeString(folder.resolve("small"), "small");

    assertFailed(sample("grpc", "get", "nothing", ""), "NOT_FOUND", "nothing");
    assertFailed(sample("http", "get", "small", "6"), "INCOMPLETE", "has 5 bytes, and not the 6");
    assertFailed(sample("grpc", "stat", "small", "6"), "INCOMPLETE", "has 5 bytes");
    assertFailed(sample("grpc", "put", "new", ""), "INVALID_REQUEST", "size: is missing");
    assertFailed(sample("grpc", "got", "small", ""), "INVALID_REQUEST", "'got'");
    assertFailed(sample("grpcs", "get", "small", ""), "INVALID_REQUEST", "carrier: 'grpcs'");
    assertFailed(sample("http2", "get", "small", ""), "INVALID_REQUEST", "any more; use http");
  }

  @Test
  void address_ofAnotherForm_isRefused() {
    FerrySampler sampler = sampler("grpc", "get", "small", "");
    sampler.setAddress("ferry://127.0.0.1/small");
    assertFailed(sampler.sample(null), "INVALID_REQUEST", "the path is a field");
    sampler.setAddress("127.0.0.1:7070");
    assertFailed(sampler.sample(null), "INVALID_REQUEST", "is no address such as");
    sampler.setAddress("http://127.0.0.1:1");
    assertFailed(sampler.sample(null), "INVALID_REQUEST", "'grpc' is no carrier of http://");
  }

  private static void assertFailed(SampleResult result, String code, String message) {
    assertThat(result.isSuccessful()).isFalse();
    assertThat(result.getResponseCode()).isEqualTo(code);
    assertThat(result.getResponseMessage()).contains(message);
  }
}
