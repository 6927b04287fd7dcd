package dev.ferry.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Carrier;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Apache's client with servers that lie, stall or go away. */
class ApacheHttpFaultsTest extends JdkHttpCarrierFaultsTest {
  @Override
  protected Carrier connect(int port) {
    return ApacheHttpCarrier.connect("localhost", port);
  }

  @Test
  void transfers_oneAfterAnother_shareOneConnection() throws Exception {
    try (ServerSocket once = new ServerSocket(0);
        Carrier client = connect(once.getLocalPort())) {
      CompletableFuture<Void> served = CompletableFuture.runAsync(() -> serveOn(once, 3));

      for (int i = 0; i < 3; i++) {
        Path target = local.resolve("t" + i);
        client.download(StorePath.parse("f"), target, TransferOptions.DEFAULT.withVerify(false));
        assertThat(target).hasContent("hello");
      }

      served.get();
    }
  }

  /** Answers requests of one connection, the only one that is accepted. */
  private static void serveOn(ServerSocket listener, int requests) {
    try (Socket socket = listener.accept()) {
      listener.close();
      BufferedReader in =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1));
      for (int i = 0; i < requests; i++) {
        while (!in.readLine().isEmpty()) {}
        socket
            .getOutputStream()
            .write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".getBytes(ISO_8859_1));
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
