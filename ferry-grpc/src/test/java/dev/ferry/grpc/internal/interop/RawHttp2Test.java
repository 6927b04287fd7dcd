package dev.ferry.grpc.internal.interop;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import dev.ferry.core.Carrier;
import dev.ferry.core.StorePath;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.grpc.internal.GrpcFilesServer;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.v1.DownloadRequest;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.wire.internal.v1.UploadReply;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Peers that do what gRPC allows and hardly anyone does: odd frames, odd gzip, few encodings. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RawHttp2Test {
  private static final int CHUNK = 20_011;
  private static final int PREFIX = 5;

  /** More than any message that is no chunk has today. */
  private static final int LATER_BYTES = 700;

  private static final int LATER_FIELD = 1000;

  private Path files;
  private GrpcFilesServer server;
  @TempDir Path target;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    files = folder;
    Cases.write(files);
    server =
        GrpcFilesServer.start(
            LocalFileStore.open(files), "127.0.0.1", 0, ServerSettings.defaults());
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** Every shape in the oddest frames, and the usual shapes in all. */
  static Stream<Arguments> oddities() {
    List<Arguments> oddities = new ArrayList<>();
    for (Shape shape : Shape.values()) {
      oddities.add(Arguments.of(shape, Layout.ODD));
    }
    for (Shape shape : List.of(Shape.PLAIN, Shape.COMPRESSED)) {
      oddities.add(Arguments.of(shape, Layout.FULL));
      oddities.add(Arguments.of(shape, Layout.LARGE));
    }
    return oddities.stream();
  }

  private static byte[] stream(List<FilePart> parts, Shape shape) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < parts.size(); i++) {
      bytes.write(shape.frame(i, parts.get(i).toByteArray()));
    }
    return bytes.toByteArray();
  }

  private void upload(List<FilePart> parts, Shape shape, Layout layout) throws Exception {
    try (RawClient client = new RawClient(server.port())) {
      RawCall.Received reply =
          client.call(
              "Upload",
              Map.of("grpc-encoding", "gzip", "grpc-accept-encoding", "identity"),
              layout.frames(stream(parts, shape), true));
      assertThat(reply.trailers().get("grpc-status"))
          .as("%s", reply.trailers())
          .asString()
          .isEqualTo("0");
      byte[] message = messages(reply.data(), false).get(0);
      assertThat(UploadReply.parseFrom(message).getFacts().getSize())
          .isEqualTo(Files.size(files.resolve(Cases.MIXED)));
    }
    Cases.assertArrived(files.resolve(Cases.MIXED), files.resolve("copy"));
  }

  private void download(List<FilePart> parts, Shape shape, Layout layout) throws Exception {
    byte[] bytes = stream(parts, shape);
    Path copy = target.resolve("copy");
    try (RawServer server = new RawServer("gzip", request -> layout.frames(bytes, false));
        Carrier client = GrpcFiles.connect("127.0.0.1", server.port())) {
      client.download(StorePath.parse("any"), copy, Cases.options(CHUNK, true));
    }
    Cases.assertArrived(files.resolve(Cases.MIXED), copy);
  }

  private List<FilePart> mixed() throws Exception {
    return StockFiles.parts(files.resolve(Cases.MIXED), "copy", CHUNK, true);
  }

  @ParameterizedTest
  @MethodSource("oddities")
  void upload_ofOddMessagesInOddFrames_arrivesWhole(Shape shape, Layout layout) throws Exception {
    upload(mixed(), shape, layout);
  }

  @ParameterizedTest
  @MethodSource("oddities")
  void download_ofOddMessagesInOddFrames_arrivesWhole(Shape shape, Layout layout) throws Exception {
    download(mixed(), shape, layout);
  }

  /** Every message with a field that this version does not know. */
  private List<FilePart> later() throws Exception {
    UnknownFieldSet.Field field =
        UnknownFieldSet.Field.newBuilder()
            .addLengthDelimited(ByteString.copyFrom(new byte[LATER_BYTES]))
            .build();
    UnknownFieldSet fields = UnknownFieldSet.newBuilder().addField(LATER_FIELD, field).build();
    return mixed().stream().map(part -> part.toBuilder().setUnknownFields(fields).build()).toList();
  }

  @Test
  void upload_withFieldsOfALaterVersion_arrivesWhole() throws Exception {
    upload(later(), Shape.PLAIN, Layout.FULL);
    upload(later(), Shape.COMPRESSED, Layout.FULL);
  }

  @Test
  void download_withFieldsOfALaterVersion_arrivesWhole() throws Exception {
    download(later(), Shape.PLAIN, Layout.FULL);
    download(later(), Shape.COMPRESSED, Layout.FULL);
  }

  /** The messages in bytes, none or all of which must be marked as compressed. */
  private static List<byte[]> messages(ByteString bytes, boolean compressed) {
    List<byte[]> messages = new ArrayList<>();
    ByteBuffer buffer = bytes.asReadOnlyByteBuffer();
    while (buffer.hasRemaining()) {
      assertThat(buffer.remaining()).isGreaterThanOrEqualTo(PREFIX);
      assertThat(buffer.get()).isEqualTo((byte) (compressed ? 1 : 0));
      byte[] message = new byte[buffer.getInt()];
      buffer.get(message);
      messages.add(message);
    }
    return messages;
  }

  private List<byte[]> downloadAccepting(Map<String, String> headers, boolean compressed)
      throws Exception {
    DownloadRequest request =
        DownloadRequest.newBuilder()
            .setPath(Cases.MIXED)
            .setChunkSize(CHUNK)
            .setWantDigest(true)
            .setCompress(true)
            .build();
    byte[] framed = Shape.PLAIN.frame(0, request.toByteArray());
    try (RawClient client = new RawClient(server.port())) {
      RawCall.Received reply = client.call("Download", headers, Layout.ODD.frames(framed, true));
      assertThat(reply.trailers().get("grpc-status")).asString().isEqualTo("0");
      assertThat(reply.headers().get("grpc-encoding", "identity"))
          .asString()
          .isEqualTo(compressed ? "gzip" : "identity");
      return messages(reply.data(), compressed);
    }
  }

  @Test
  void download_whereGzipIsNotAccepted_comesAsItIs() throws Exception {
    for (Map<String, String> headers :
        List.of(
            Map.<String, String>of(),
            Map.of("grpc-accept-encoding", "identity"),
            Map.of("grpc-accept-encoding", "deflate, identity"),
            Map.of("grpc-accept-encoding", "gzip2"))) {
      List<byte[]> messages = downloadAccepting(headers, false);
      List<FilePart> expected = mixed();
      assertThat(messages).hasSameSizeAs(expected);
      for (int i = 1; i < messages.size(); i++) {
        assertThat(FilePart.parseFrom(messages.get(i))).isEqualTo(expected.get(i));
      }
    }
  }

  @Test
  void download_whereGzipIsAccepted_comesCompressed() throws Exception {
    for (String accepted : List.of("gzip", "identity,deflate,gzip", "identity, deflate, gzip")) {
      Map<String, String> headers = Map.of("grpc-accept-encoding", accepted);
      assertThat(downloadAccepting(headers, true)).hasSameSizeAs(mixed());
    }
  }
}
