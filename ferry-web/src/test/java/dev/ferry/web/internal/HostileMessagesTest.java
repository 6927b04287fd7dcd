package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.wire.internal.Warnings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Messages that are no protobuf, to every method there is. */
@Timeout(300)
final class HostileMessagesTest {
  /** A field of five bytes, of which there is none. */
  private static final byte[] NO_PROTOBUF = {0x0a, 5};

  private static final int RANDOM_MESSAGES = 100;

  private static final List<String> METHODS =
      List.of(
          "ferry.v1.Files/Download",
          "ferry.v1.Files/Upload",
          "ferry.v1.Files/Stat",
          "ferry.v1.Files/List",
          "grpc.health.v1.Health/Check",
          "grpc.health.v1.Health/Watch");

  @TempDir Path root;
  private WebFilesServer server;

  @BeforeEach
  void start() throws Exception {
    server =
        WebFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, ServerSettings.defaults());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String statusOf(String method, byte[] message) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(new byte[] {0, 0, 0, 0, (byte) message.length});
    body.writeBytes(message);
    String head =
        "POST /"
            + method
            + " HTTP/1.1\r\nContent-Type: application/grpc-web+proto\r\nContent-Length: ";
    String fields =
        RawHttp.exchange(server.port(), head + body.size() + "\r\n", body.toByteArray());
    return URLDecoder.decode(fields.replace("+", "%2B"), StandardCharsets.ISO_8859_1);
  }

  @Test
  void message_noProtobuf_isAnInvalidArgumentOfItsMethod() throws Exception {
    try (Warnings warnings = new Warnings()) {
      for (String method : METHODS) {
        assertThat(statusOf(method, NO_PROTOBUF))
            .as(method)
            .containsPattern("grpc-status: ?3\r\n")
            .contains(method + ": a message cannot be read: ");
      }
      assertThat(server.refused().of(Refusals.Reason.BAD_MESSAGE)).isEqualTo(METHODS.size());
      assertThat(warnings.heard()).isEmpty();
    }
    TestFiles.awaitTree(root);
  }

  @Test
  void message_ofRandomBytes_isNobodysFaultButTheClients() throws Exception {
    Random random = new Random(17);
    try (Warnings warnings = new Warnings()) {
      for (String method : METHODS) {
        for (int i = 0; i < RANDOM_MESSAGES; i++) {
          // Watch has no end of its own where the message is sound.
          byte[] message = new byte[method.endsWith("Watch") ? 2 : random.nextInt(40)];
          random.nextBytes(message);
          if (method.endsWith("Watch")) {
            message[0] = 0x0f;
          }
          assertThat(statusOf(method, message))
              .as(method)
              .doesNotContainPattern("grpc-status: ?(2|13|14)\r\n");
        }
      }
      assertThat(warnings.heard()).isEmpty();
    }
  }
}
