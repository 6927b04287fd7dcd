package dev.ferry.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.Server;
import dev.ferry.contract.v1.FileFacts;
import dev.ferry.contract.v1.FilePart;
import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.TransferOptions;
import dev.ferry.grpc.Method;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers that are not sound fail a download on the client, and leave nothing of it. */
@Timeout(30)
class HostileServerTest {
  /** What is wrong with an answer. */
  enum Fault {
    NONE,
    NO_TRAILERS,
    TRAILERS_CUT,
    TRAILERS_WITHOUT_STATUS,
    MESSAGE_CUT,
    GREAT_LENGTH,
    STRANGE_FLAGS,
    UNKNOWN_ENCODING,
    NOT_COMPRESSED_AS_SAID,
    EMPTY
  }

  @TempDir Path local;
  private volatile HttpResponse answer = HttpResponse.of(500);
  private Server server;

  @BeforeEach
  void start() {
    server =
        Server.builder().http(0).serviceUnder("/", (context, request) -> answered(request)).build();
    server.start().join();
  }

  private HttpResponse answered(HttpRequest request) {
    request.abort();
    return answer;
  }

  @AfterEach
  void stop() {
    server.stop().join();
  }

  private static byte[] frame(int flag, byte[] message) {
    return ByteBuffer.allocate(5 + message.length)
        .put((byte) flag)
        .putInt(message.length)
        .put(message)
        .array();
  }

  private static byte[] body(Fault fault) {
    byte[] facts =
        FilePart.newBuilder()
            .setFacts(FileFacts.newBuilder().setName("f").setSize(10))
            .build()
            .toByteArray();
    byte[] chunk =
        FilePart.newBuilder()
            .setChunk(ByteString.copyFrom(TestFiles.random(10, 1)))
            .build()
            .toByteArray();
    byte[] trailers = "grpc-status: 0\r\n".getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if (fault == Fault.EMPTY) {
      return new byte[0];
    }
    body.writeBytes(frame(0, facts));
    switch (fault) {
      case MESSAGE_CUT -> {
        body.write(frame(0, chunk), 0, 12);
        return body.toByteArray();
      }
      case GREAT_LENGTH -> body.writeBytes(new byte[] {0, -1, -1, -1, -1, 1, 2, 3});
      case STRANGE_FLAGS -> body.writeBytes(frame(0x42, chunk));
      case NOT_COMPRESSED_AS_SAID -> body.writeBytes(frame(1, chunk));
      default -> body.writeBytes(frame(0, chunk));
    }
    switch (fault) {
      case NO_TRAILERS -> {}
      case TRAILERS_CUT -> body.write(frame(0x80, trailers), 0, 10);
      case TRAILERS_WITHOUT_STATUS ->
          body.writeBytes(frame(0x80, "x: y\r\n".getBytes(StandardCharsets.US_ASCII)));
      default -> body.writeBytes(frame(0x80, trailers));
    }
    return body.toByteArray();
  }

  private void prepare(Fault fault, boolean text) {
    String encoding = fault == Fault.UNKNOWN_ENCODING ? "snappy" : "gzip";
    byte[] body = body(fault);
    answer =
        HttpResponse.of(
            ResponseHeaders.builder(200)
                .set("content-type", "application/grpc-web" + (text ? "-text" : "") + "+proto")
                .set("grpc-encoding", encoding)
                .build(),
            HttpData.wrap(text ? Base64.getEncoder().encode(body) : body));
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void download_unsoundAnswer_failsAndLeavesNothing(Fault fault) throws Exception {
    for (WebFormat format : new WebFormat[] {WebFormat.GRPC_WEB, WebFormat.GRPC_WEB_TEXT}) {
      for (WebVersion version : WebVersion.values()) {
        for (Method method : Method.values()) {
          prepare(fault, format == WebFormat.GRPC_WEB_TEXT);
          assertDownload(fault, format, version, method);
        }
      }
    }
  }

  private void assertDownload(Fault fault, WebFormat format, WebVersion version, Method method)
      throws Exception {
    TransferOptions options =
        TransferOptions.DEFAULT.withVerify(false).withTimeout(Duration.ofSeconds(5));
    StorePath path = StorePath.parse("f");
    try (Carrier carrier =
        WebCarrier.connect("127.0.0.1", server.activeLocalPort(), format, version, method)) {
      Path target = local.resolve("target");
      if (fault == Fault.NONE) {
        carrier.download(path, target, options);
        assertThat(target).hasBinaryContent(TestFiles.random(10, 1));
        return;
      }
      Throwable failure = catchThrowable(() -> carrier.download(path, target, options));
      assertThat(failure)
          .as("%s %s %s", format, version, method)
          .isInstanceOf(FerryException.class);
      assertThat(((FerryException) failure).kind().name()).isNotEqualTo("DEADLINE_EXCEEDED");
      TestFiles.awaitTree(local);
    }
  }
}
