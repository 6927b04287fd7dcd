package dev.ferry.suites.tls;

import dev.ferry.core.StorePath;
import dev.ferry.lab.ceiling.SocketServer;
import dev.ferry.lab.suite.Pin;
import dev.ferry.suites.calls.service.Item;
import dev.ferry.suites.calls.service.Items;
import dev.ferry.suites.rival.PartFile;
import dev.ferry.wire.ServerTls;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import javax.net.ssl.SSLEngine;

/** Servers over TLS without a protocol, on free ports. Each connection has a thread. */
public final class BareTlsServer {
  private BareTlsServer() {}

  /** Answers a command of a client. */
  @FunctionalInterface
  private interface Answer {
    void send(TlsChannel.Command command, TlsChannel channel) throws IOException;
  }

  /** Starts a server of the files of a folder. */
  public static SocketServer files(Path root, ServerTls tls) throws IOException {
    return start(
        tls,
        TlsChannel.FILE_BYTES,
        (command, channel) ->
            file(root.resolve(StorePath.parse(command.name()).value()), command, channel));
  }

  /** Starts a server of items by their index. */
  public static SocketServer items(Items items, ServerTls tls) throws IOException {
    return start(
        tls,
        TlsChannel.COMMAND_BYTES,
        (command, channel) -> item(items.at(command.number()), channel));
  }

  private static SocketServer start(ServerTls tls, int bytes, Answer answer) throws IOException {
    SslContext context = NettyTls.server(tls, BareTlsClient.PROTOCOL);
    return SocketServer.start(
        "ferry-bare-tls-server",
        socket -> {
          SSLEngine engine = context.newEngine(ByteBufAllocator.DEFAULT);
          try (TlsChannel channel = new TlsChannel(socket, engine, bytes)) {
            serve(channel, answer);
          }
        });
  }

  private static void serve(TlsChannel channel, Answer answer) throws IOException {
    try {
      Pin.pinServerThread();
      while (true) {
        answer.send(channel.readCommand(), channel);
      }
    } catch (EOFException e) {
      // The client has gone.
      return;
    }
  }

  private static void file(Path file, TlsChannel.Command command, TlsChannel channel)
      throws IOException {
    if (command.kind() == BareTlsClient.DOWNLOAD) {
      try (FileChannel source = FileChannel.open(file)) {
        channel.writeCommand(BareTlsClient.DOWNLOAD, source.size(), "");
        channel.send(source);
      }
      return;
    }
    try (PartFile target = new PartFile(file)) {
      channel.receive(target.channel(), command.number());
      target.commit();
    }
    channel.writeCommand(BareTlsClient.UPLOAD, command.number(), "");
  }

  private static void item(Item item, TlsChannel channel) throws IOException {
    channel.writeCommand(
        BareTlsClient.ITEM, item.id(), item.price() + BareTlsClient.AFTER_PRICE + item.name());
  }
}
