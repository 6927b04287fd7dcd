package dev.ferry.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import dev.ferry.cli.Outcome;
import dev.ferry.core.FerryException;
import dev.ferry.lab.model.RunDocument;
import dev.ferry.lab.report.RunJson;
import dev.ferry.suites.calls.service.Backend;
import dev.ferry.suites.calls.service.grpc.GrpcCallServer;
import example.blobs.Blob;
import example.blobs.BlobStoreGrpc;
import example.blobs.ReadRequest;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A gRPC server that is already there. */
final class BenchGrpcTest {
  private static final int BYTES = 300_000;
  private static final int CHUNK = 10_000;
  private static final String READ = "{\"name\":\"file\",\"chunkSize\":" + CHUNK + "}";

  private final GrpcCallServer server;
  private final String address;

  /** Streams files, as anyone's server may do. */
  private final Server streaming;

  private final String blobs;

  @TempDir Path folder;

  BenchGrpcTest() throws FerryException, IOException {
    server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null);
    address = "127.0.0.1:" + server.port();
    streaming =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .addService(new Blobs())
            .addService(ProtoReflectionServiceV1.newInstance())
            .build()
            .start();
    blobs = "127.0.0.1:" + streaming.getPort() + "/example.blobs.BlobStore";
  }

  @AfterEach
  void stop() throws InterruptedException {
    server.close();
    streaming.shutdownNow().awaitTermination();
  }

  /** Sends the name of a file first, and then its bytes. */
  private static final class Blobs extends BlobStoreGrpc.BlobStoreImplBase {
    @Override
    public void read(ReadRequest request, StreamObserver<Blob> responses) {
      if (!request.getName().equals("file")) {
        responses.onError(Status.NOT_FOUND.withDescription("no such blob").asException());
        return;
      }
      responses.onNext(Blob.newBuilder().setName("file").setEtag("1").build());
      for (int at = 0; at < BYTES; at += CHUNK) {
        byte[] chunk = new byte[CHUNK];
        Arrays.fill(chunk, (byte) at);
        responses.onNext(
            Blob.newBuilder().setOffset(at).setData(ByteString.copyFrom(chunk)).build());
      }
      responses.onCompleted();
    }
  }

  private Outcome bench(String... options) {
    List<String> arguments = new ArrayList<>(List.of("bench"));
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("--work-dir", folder.toString(), "--out", folder + "/run"));
    return Outcome.of(new Main(), arguments.toArray(String[]::new));
  }

  @Test
  @EnabledIfSystemProperty(named = "ferry.thorough", matches = "true")
  void bench_grpc_comparesTheChannelsWithItsServer() throws Exception {
    String call = address + "/ferry.v1.Calls/Get";

    Outcome bench = bench("--grpc", call, "--message", "{\"count\":3}", "--profile=smoke");

    assertThat(bench.exitCode()).as(bench.err()).isZero();
    RunDocument run = RunJson.read(folder.resolve("run/run.json"));
    assertThat(run.rows())
        .extracting(row -> row.method() + " " + row.parameters().get("Call"))
        .containsExactlyInAnyOrder("GrpcDefault " + call, "GrpcTuned " + call);
    assertThat(run.rows()).allMatch(row -> row.measured());
    assertThat(run.arguments()).contains("--message", "…").doesNotContain("{\"count\":3}");
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(folder.resolve("run"));
    }
  }

  @Test
  void bench_grpcThatStreamsBytes_comparesZeroCopyAsWell() throws Exception {
    String call = blobs + "/Read";

    Outcome bench = bench("--grpc", call, "--message", READ, "--profile=smoke");

    assertThat(bench.exitCode()).as(bench.err()).isZero();
    RunDocument run = RunJson.read(folder.resolve("run/run.json"));
    assertThat(run.file().name()).isEqualTo("Read.data");
    assertThat(run.file().bytes()).isEqualTo(BYTES);
    assertThat(run.rows())
        .extracting(row -> row.method() + " " + row.key().setting())
        .containsExactlyInAnyOrder(
            "GrpcDefault " + setting(call),
            "GrpcTuned " + setting(call),
            "ZeroCopy " + setting(call));
    assertThat(run.rows()).allMatch(row -> row.measured());
    assertThat(run.arguments()).contains("--message", "…").doesNotContain(READ);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).containsExactly(folder.resolve("run"));
    }
  }

  private static String setting(String call) {
    return "Call=" + call + ", Field=data, Messages=" + (1 + BYTES / CHUNK);
  }

  /** The schema of another user of the service, for whom etags are bytes as well. */
  @Test
  void bench_grpcWithSeveralFieldsOfBytes_receivesTheOneThatIsNamed() throws Exception {
    FileDescriptorProto.Builder file = Blob.getDescriptor().getFile().toProto().toBuilder();
    file.getMessageTypeBuilderList().stream()
        .filter(message -> message.getName().equals("Blob"))
        .flatMap(message -> message.getFieldBuilderList().stream())
        .filter(field -> field.getName().equals("etag"))
        .forEach(field -> field.setType(FieldDescriptorProto.Type.TYPE_BYTES));
    Path schema = folder.resolve("schema.pb");
    Files.write(schema, FileDescriptorSet.newBuilder().addFile(file).build().toByteArray());
    String[] ambiguous = {
      "--grpc", blobs + "/Read", "--message", READ, "--descriptors", schema.toString(), "--list"
    };

    assertThat(bench(ambiguous))
        .satisfies(
            bench -> {
              assertThat(bench.exitCode()).isEqualTo(2);
              assertThat(bench.err())
                  .contains("several fields of type bytes: data (2), etag (3); say by --field")
                  .hasLineCount(1);
            });
    List<String> chosen = new ArrayList<>(List.of(ambiguous));
    chosen.addAll(List.of("--field", "2"));
    Outcome bench = bench(chosen.toArray(String[]::new));
    assertThat(bench.exitCode()).as(bench.err()).isZero();
    assertThat(bench.out()).contains("stream");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2 | --grpc 127.0.0.1/x | give one like example.org:50051/package.Service/Method",
        "2 | --message {} | --message needs --grpc; give it as well",
        "2 | --grpc ADDRESS/a.B/C --url http://127.0.0.1/x | --url and --grpc: give only one of"
            + " them",
        "2 | --grpc ADDRESS/a.B/C --message … | --resume does not know it; start a new run",
        "2 | --grpc ADDRESS/a.B/C --suite tasks | leave out --suite",
        "2 | --suite grpc | suite grpc needs --grpc, with an address",
        "2 | --grpc ADDRESS/ferry.v1.Calls/Get --message {\"cuont\":3} | not JSON of ferry.v1.CallRequest",
        "1 | --grpc ADDRESS/ferry.v1.Calls/Put | the service has no method Put, but Get",
        "1 | --grpc ADDRESS/ferry.v1.Rows/Stream | ferry.v1.Row, which has no field of type bytes",
        "1 | --grpc BLOBS/Write | clients stream to the method; give one that takes one message",
        "1 | --grpc BLOBS/Read --message {\"name\":\"x\"} | BlobStore/Read: NOT_FOUND: no such blob",
        "2 | --grpc BLOBS/Read --field 3 | --field is '3'; give one of the fields of type bytes of",
        "2 | --grpc ADDRESS/ferry.v1.Calls/Get --field 1 | Get does not; leave it out",
        "1 | --grpc ADDRESS/ferry.v1.Calls/Get --descriptors none.pb | none.pb cannot be read",
        "2 | --field 2 | --field needs --grpc; give it as well",
        "2 | --descriptors none.pb | --descriptors needs --grpc; give it as well",
        "1 | --grpc ADDRESS/ferry.v1.Pigeons/Get | the server says: ",
        "1 | --grpc 127.0.0.1:1/ferry.v1.Calls/Get | UNAVAILABLE",
        "1 | --grpc no-such-host.invalid:1/a.B/C | the host no-such-host.invalid is not known",
      })
  void bench_grpcThatCannotBeUsed_isRefusedInOneLine(int exit, String options, String message) {
    Outcome bench = bench(options.replace("ADDRESS", address).replace("BLOBS", blobs).split(" "));

    assertThat(bench.exitCode()).as(bench.err()).isEqualTo(exit);
    assertThat(bench.err()).contains(message).hasLineCount(1);
    assertThat(folder).isEmptyDirectory();
  }
}
