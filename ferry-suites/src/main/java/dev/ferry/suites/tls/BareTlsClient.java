package dev.ferry.suites.tls;

import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.suites.calls.service.Item;
import dev.ferry.suites.rival.PartFile;
import dev.ferry.suites.rival.TransferClient;
import dev.ferry.wire.ClientTls;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import javax.net.ssl.SSLEngine;

/**
 * Files and items over a TLS connection without a protocol, read and written by the caller's
 * thread, files 256 KiB at a time. It verifies nothing and compresses nothing.
 */
public final class BareTlsClient implements TransferClient {
  /** As in {@link Transfer#protocol}, and for ALPN. */
  public static final String PROTOCOL = "tls";

  static final char DOWNLOAD = 'D';
  static final char UPLOAD = 'U';
  static final char ITEM = 'I';

  /** Stands between the price and the name of an item. */
  static final String AFTER_PRICE = " ";

  private final TlsChannel channel;

  private BareTlsClient(TlsChannel channel) {
    this.channel = channel;
  }

  /** Connects to a server of files on a port of the server's host. */
  public static BareTlsClient connect(int port, ClientTls tls) throws IOException {
    return connect(port, NettyTls.client(tls, PROTOCOL), TlsChannel.FILE_BYTES);
  }

  /**
   * Connects to a server of items on a port of the server's host.
   *
   * @param context has the sessions that the handshake may resume
   */
  public static BareTlsClient toItems(int port, SslContext context) throws IOException {
    return connect(port, context, TlsChannel.COMMAND_BYTES);
  }

  private static BareTlsClient connect(int port, SslContext context, int bytes) throws IOException {
    SocketChannel socket = SocketChannel.open(new InetSocketAddress(ServerHost.address(), port));
    SSLEngine engine = context.newEngine(ByteBufAllocator.DEFAULT, ServerHost.name(), port);
    return new BareTlsClient(new TlsChannel(socket, engine, bytes));
  }

  /** Gets an item from a server of items. */
  public Item item(long index) throws IOException {
    channel.writeCommand(ITEM, index, "");
    TlsChannel.Command answer = channel.readCommand();
    int space = answer.name().indexOf(AFTER_PRICE);
    return new Item(
        answer.number(),
        answer.name().substring(space + 1),
        Double.parseDouble(answer.name().substring(0, space)));
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    try (PartFile file = new PartFile(target)) {
      channel.writeCommand(DOWNLOAD, 0, path.value());
      channel.receive(file.channel(), channel.readCommand().number());
      file.commit();
      return TransferClient.plain(path, target, PROTOCOL);
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
  }

  @Override
  public Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    try (FileChannel file = FileChannel.open(source)) {
      channel.writeCommand(UPLOAD, file.size(), path.value());
      channel.send(file);
      channel.readCommand();
      return TransferClient.plain(path, source, PROTOCOL);
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new IllegalStateException("the connection does not close: " + e.getMessage(), e);
    }
  }
}
