package dev.ferry.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** Passes bytes on between a client and a server, and from so many on nothing any more, one way. */
final class StallingProxy implements AutoCloseable {
  private final ServerSocket listener;
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final int serverPort;
  private final AtomicLong requested = new AtomicLong();
  private final long requestBytes;
  private final long responseBytes;

  private StallingProxy(int serverPort, long requestBytes, long responseBytes) throws IOException {
    this.serverPort = serverPort;
    this.requestBytes = requestBytes;
    this.responseBytes = responseBytes;
    listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    executor.execute(this::accept);
  }

  /** Passes on so much of what the server says. */
  static StallingProxy ofResponses(int serverPort, long bytes) throws IOException {
    return new StallingProxy(serverPort, Long.MAX_VALUE, bytes);
  }

  /** Passes on so much of what the client says. */
  static StallingProxy ofRequests(int serverPort, long bytes) throws IOException {
    return new StallingProxy(serverPort, bytes, Long.MAX_VALUE);
  }

  String address() {
    return Servers.HOST + ":" + listener.getLocalPort();
  }

  /** Bytes that clients have sent so far. */
  long requestedBytes() {
    return requested.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server = new Socket(Servers.HOST, serverPort);
        executor.execute(() -> copy(client, server, requestBytes, requested));
        executor.execute(() -> copy(server, client, responseBytes, new AtomicLong()));
      }
    } catch (SocketException e) {
      // The listener was closed.
      return;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(Socket from, Socket to, long limit, AtomicLong count) {
    byte[] buffer = new byte[8192];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      long left = limit;
      for (int n; (n = in.read(buffer)) >= 0; ) {
        count.addAndGet(n);
        // What is dropped is read all the same, to see the end of the connection behind it.
        int passed = (int) Math.min(n, left);
        out.write(buffer, 0, passed);
        left -= passed;
      }
      from.close();
      to.close();
    } catch (IOException e) {
      // One side went away: so does the other.
      closeQuietly(from);
      closeQuietly(to);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is as good as closed.
      return;
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    executor.shutdownNow();
  }
}
