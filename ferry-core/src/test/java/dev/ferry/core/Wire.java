package dev.ferry.grpc.raw;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A wire between a client and a server that can be held up and cut. */
public final class Wire implements AutoCloseable {
  private final ServerSocket listening;
  private final int port;
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private long free = Long.MAX_VALUE;

  /** Lays a wire to a port of this machine. */
  public Wire(int port) throws IOException {
    this.port = port;
    listening = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "wire");
    thread.setDaemon(true);
    thread.start();
  }

  /** Where to connect to. */
  public int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Socket server = new Socket(listening.getInetAddress(), port);
        sockets.add(client);
        sockets.add(server);
        start(() -> copy(client, server));
        start(() -> copy(server, client));
      }
    } catch (IOException e) {
      cut();
    }
  }

  private void copy(Socket from, Socket to) {
    byte[] buffer = new byte[8192];
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        pass(n);
        out.write(buffer, 0, n);
      }
    } catch (IOException | InterruptedException e) {
      cut();
    }
  }

  private synchronized void pass(int bytes) throws InterruptedException {
    while (free < bytes) {
      wait();
    }
    free -= bytes;
  }

  /** From now on nothing passes, in either direction. */
  public void hold() {
    holdAfter(0);
  }

  /** Lets so many bytes pass, both directions together, and then nothing more. */
  public synchronized void holdAfter(long bytes) {
    free = bytes;
  }

  /** Lets everything pass again. */
  public synchronized void release() {
    free = Long.MAX_VALUE;
    notifyAll();
  }

  /** Cuts what is connected. */
  public void cut() {
    for (Socket socket = sockets.poll(); socket != null; socket = sockets.poll()) {
      try {
        socket.close();
      } catch (IOException e) {
        // It is closed already, then.
        continue;
      }
    }
    release();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    cut();
  }
}
