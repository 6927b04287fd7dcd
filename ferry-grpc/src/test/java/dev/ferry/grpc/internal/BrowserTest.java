package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.TestFiles;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.v1.FileFacts;
import dev.ferry.wire.internal.v1.FilePart;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * No page reaches the gRPC port, whatever its host: in plain text browsers speak HTTP/1.1 alone,
 * and the port wants HTTP/2 from the first byte. So it has no rules for hosts and origins.
 */
@Timeout(300)
class BrowserTest {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

  @TempDir Path root;

  @Test
  void request_ofABrowser_isCutAndNothingIsDone() throws Exception {
    byte[] call = upload("file");
    try (GrpcFilesServer server =
        GrpcFilesServer.start(
            LocalFileStore.open(root), "127.0.0.1", 0, ServerSettings.defaults())) {
      for (String head :
          List.of(
              "GET /ferry.v1.Files/Stat HTTP/1.1\r\nHost: evil.example\r\n\r\n",
              "OPTIONS * HTTP/1.1\r\nHost: evil.example\r\n\r\n",
              "POST /ferry.v1.Files/Upload HTTP/1.1\r\nHost: evil.example\r\n"
                  + "Content-Type: text/plain\r\nContent-Length: "
                  + call.length
                  + "\r\n\r\n")) {
        send(server.port(), head.getBytes(StandardCharsets.US_ASCII), call);
        assertThat(TestFiles.tree(root)).isEmpty();
      }
      // The same bytes are a call where nothing stands before them.
      try (Socket socket = new Socket("127.0.0.1", server.port())) {
        socket.getOutputStream().write(call);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        while (!TestFiles.tree(root).equals(List.of("file"))) {
          in.readByte();
        }
      }
    }
  }

  /** Sends until the server closes. */
  private static void send(int port, byte[] head, byte[] body) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.getOutputStream().write(head);
      socket.getOutputStream().write(body);
      socket.getInputStream().readAllBytes();
    } catch (SocketException e) {
      // Cut while there was more to send or to read.
      assertThat(e).isNotNull();
    }
  }

  /** A connection of HTTP/2 with one upload of an empty file. */
  private static byte[] upload(String name) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    bytes.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    for (List<String> field :
        List.of(
            List.of(":method", "POST"),
            List.of(":scheme", "http"),
            List.of(":authority", "evil.example"),
            List.of(":path", "/ferry.v1.Files/Upload"),
            List.of("content-type", "application/grpc"),
            List.of("te", "trailers"))) {
      block.write(0);
      for (String text : field) {
        block.write(text.length());
        block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
      }
    }
    bytes.writeBytes(frame(HEADERS, END_HEADERS, 1, block.toByteArray()));
    byte[] facts =
        FilePart.newBuilder()
            .setFacts(FileFacts.newBuilder().setName(name).setSize(0))
            .build()
            .toByteArray();
    byte[] message =
        ByteBuffer.allocate(5 + facts.length).put((byte) 0).putInt(facts.length).put(facts).array();
    bytes.writeBytes(frame(DATA, END_STREAM, 1, message));
    return bytes.toByteArray();
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put((byte) (payload.length >> 16))
        .putShort((short) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }
}
