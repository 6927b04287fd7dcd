package dev.ferry.suites.tls;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.net.ClientTls;
import dev.ferry.net.internal.TlsContexts;
import dev.ferry.suites.rival.PartFile;
import dev.ferry.suites.rival.TransferClient;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Files over one kept TLS connection without a protocol, read and written 256 KiB at a time by the
 * caller's thread. It verifies nothing and compresses nothing.
 */
public final class BareTlsClient implements TransferClient {
  /** As in {@link Transfer#protocol}, and for ALPN. */
  public static final String PROTOCOL = "tls";

  static final char DOWNLOAD = 'D';
  static final char UPLOAD = 'U';

  private final TlsChannel channel;

  private BareTlsClient(TlsChannel channel) {
    this.channel = channel;
  }

  /** Connects to the server on a port of the server's host. */
  public static BareTlsClient connect(int port, ClientTls tls) throws IOException {
    SocketChannel socket = SocketChannel.open(new InetSocketAddress(ServerHost.address(), port));
    return new BareTlsClient(
        new TlsChannel(
            socket,
            TlsContexts.client(tls, PROTOCOL)
                .newEngine(ByteBufAllocator.DEFAULT, ServerHost.name(), port)));
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    try (PartFile file = new PartFile(target)) {
      channel.writeCommand(DOWNLOAD, 0, path.value());
      channel.receive(file.channel(), channel.readCommand().number());
      file.commit();
      return transfer(path, target);
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
      return transfer(path, source);
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
  }

  private static Transfer transfer(StorePath path, Path file) throws IOException {
    FileFacts facts =
        FileFacts.of(path.value(), Files.readAttributes(file, BasicFileAttributes.class));
    return new Transfer(facts, facts.size(), PROTOCOL, "identity");
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
