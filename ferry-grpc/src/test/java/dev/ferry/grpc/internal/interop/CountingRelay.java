package dev.ferry.grpc.internal.interop;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/** Stands between a client and a server and counts, to see from outside what is compressed. */
final class CountingRelay implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final ServerSocket listening;
  private final int target;
  private final LongAdder bytes = new LongAdder();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  /** Starts a relay to a port of this machine. */
  CountingRelay(int target) throws IOException {
    this.listening = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    this.target = target;
    start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Bytes that passed in both directions since the last call. */
  long passed() {
    return bytes.sumThenReset();
  }

  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }

  private static void start(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // An end has gone: the other one is told by the closing, and the test by its peer.
                return;
              }
            },
            "relay");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listening.accept();
      Socket server = new Socket(listening.getInetAddress(), target);
      sockets.addAll(List.of(client, server));
      start(() -> pump(client, server));
      start(() -> pump(server, client));
    }
  }

  private void pump(Socket from, Socket to) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (from;
        to) {
      InputStream input = from.getInputStream();
      OutputStream output = to.getOutputStream();
      for (int n = input.read(buffer); n >= 0; n = input.read(buffer)) {
        bytes.add(n);
        output.write(buffer, 0, n);
      }
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
