package dev.ferry.suites.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.lab.ceiling.SocketServer;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client that is not the bench can do to the server of files. */
final class BareTlsServerTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"../outside", "/outside"})
  void command_pathOutsideOfTheFolder_endsTheConnection(String name) throws Exception {
    Path root = Files.createDirectory(folder.resolve("root"));
    Path outside = Files.writeString(folder.resolve("outside"), "secret");
    String path = name.startsWith("/") ? outside.toString() : name;
    try (SocketServer server = BareTlsServer.files(root, LoopbackTls.server(root))) {
      for (char kind : new char[] {BareTlsClient.DOWNLOAD, BareTlsClient.UPLOAD}) {
        try (TlsChannel channel = connect(server.port(), LoopbackTls.client(root))) {
          channel.writeCommand(kind, 0, path);

          assertThatThrownBy(channel::readCommand).isInstanceOf(IOException.class);
        }
      }
    }
    assertThat(outside).hasContent("secret");
  }

  private static TlsChannel connect(int port, LoopbackTls tls) throws IOException {
    SslContext context = NettyTls.client(tls.trust(), BareTlsClient.PROTOCOL);
    return new TlsChannel(
        SocketChannel.open(new InetSocketAddress("127.0.0.1", port)),
        context.newEngine(ByteBufAllocator.DEFAULT, "127.0.0.1", port),
        TlsChannel.FILE_BYTES);
  }
}
