package dev.ferry.core;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** A wire between a client and a server that can be slowed down, held up and cut. */
public final class Wire implements AutoCloseable {
  private final ServerSocket listening;
  private final int port;
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final CountDownLatch held = new CountDownLatch(1);
  private long free = Long.MAX_VALUE;
  private volatile long pauseMillis;

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
        // Small windows would wait for acknowledgements that are put off.
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
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
        if (pauseMillis > 0) {
          Thread.sleep(pauseMillis);
        }
        out.write(buffer, 0, n);
      }
    } catch (IOException | InterruptedException e) {
      cut();
    }
  }

  private synchronized void pass(int bytes) throws InterruptedException {
    while (free < bytes) {
      held.countDown();
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

  /** Waits until something is held up. */
  public void awaitHeld() throws InterruptedException {
    held.await();
  }

  /** Delays every read, of at most 8 KiB, in both directions. */
  public void slow(long millis) {
    pauseMillis = millis;
  }

  /** Lets everything pass again. */
  public synchronized void release() {
    free = Long.MAX_VALUE;
    pauseMillis = 0;
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
