package dev.ferry.core;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Forwards connections to a server, and can slow them down, hold them up, drop bytes, change bytes
 * and cut.
 */
public final class TcpProxy implements AutoCloseable {
  private final ServerSocket listening;
  private final Thread accepting;
  private volatile int serverPort;
  private final long requestLimit;
  private final long responseLimit;
  private final List<Socket> sockets = new ArrayList<>();

  /** Directions of connections that are not over yet. */
  private int open;

  private boolean closed;
  private volatile boolean vanished;
  private final CountDownLatch held = new CountDownLatch(1);

  /** Keeps the port from others after {@link #close}. */
  private @Nullable RefusingPort refusing;

  private final AtomicLong requested = new AtomicLong();
  private final AtomicLong responded = new AtomicLong();
  private final AtomicInteger connections = new AtomicInteger();
  private long free = Long.MAX_VALUE;
  private final AtomicBoolean corrupting = new AtomicBoolean();
  private volatile long pauseMillis;
  private volatile long cutEach = Long.MAX_VALUE;
  private final AtomicLong sinceCut = new AtomicLong();
  private volatile long cutRequestsEach = Long.MAX_VALUE;
  private final AtomicLong requestedSinceCut = new AtomicLong();

  /** Starts a proxy to a port of this machine. */
  public TcpProxy(int serverPort) throws IOException {
    this(serverPort, Long.MAX_VALUE, Long.MAX_VALUE);
  }

  private TcpProxy(int serverPort, long requestLimit, long responseLimit) throws IOException {
    this.serverPort = serverPort;
    this.requestLimit = requestLimit;
    this.responseLimit = responseLimit;
    listening = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    accepting = thread(this::accept);
    accepting.start();
  }

  /** Starts a proxy that drops what the client of a connection sends after this many bytes. */
  public static TcpProxy droppingRequests(int serverPort, long bytes) throws IOException {
    return new TcpProxy(serverPort, bytes, Long.MAX_VALUE);
  }

  /** Starts a proxy that drops what the server sends on a connection after this many bytes. */
  public static TcpProxy droppingResponses(int serverPort, long bytes) throws IOException {
    return new TcpProxy(serverPort, Long.MAX_VALUE, bytes);
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "proxy");
    thread.setDaemon(true);
    return thread;
  }

  /** The port that clients connect to. */
  public int port() {
    return listening.getLocalPort();
  }

  /** The address that clients connect to, as {@code host:port}. */
  public String address() {
    return listening.getInetAddress().getHostAddress() + ":" + port();
  }

  /** Bytes that clients have sent so far, including dropped ones. */
  public long requestedBytes() {
    return requested.get();
  }

  /** Connections that clients have opened so far. */
  public int connections() {
    return connections.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        connections.incrementAndGet();
        Socket server = connect();
        if (server == null) {
          client.close();
          continue;
        }
        // Small windows would wait for delayed acknowledgements.
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        if (!add(client, server)) {
          client.close();
          server.close();
          return;
        }
        CountDownLatch clientEnded = new CountDownLatch(1);
        thread(
                () -> {
                  copy(client, server, requestLimit, requested, null);
                  clientEnded.countDown();
                })
            .start();
        thread(() -> copy(server, client, responseLimit, responded, clientEnded)).start();
      }
    } catch (IOException e) {
      if (!vanished) {
        cut();
      }
    }
  }

  /** Returns null if the server does not listen. */
  private @Nullable Socket connect() {
    try {
      return new Socket(listening.getInetAddress(), serverPort);
    } catch (IOException e) {
      return null;
    }
  }

  /** Returns whether the connection is forwarded, which it is not after {@link #close}. */
  private synchronized boolean add(Socket client, Socket server) {
    if (closed) {
      return false;
    }
    sockets.add(client);
    sockets.add(server);
    open += 2;
    return true;
  }

  /**
   * @param clientEnded for responses: when the client has closed its end; null for requests
   */
  private void copy(
      Socket from, Socket to, long limit, AtomicLong count, @Nullable CountDownLatch clientEnded) {
    byte[] buffer = new byte[8192];
    long left = limit;
    Run run = new Run();
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        count.addAndGet(n);
        // Dropped bytes are read too, so that the end of the connection behind them is seen.
        int passed = (int) Math.min(n, left);
        left -= passed;
        pass(passed);
        if (pauseMillis > 0) {
          Thread.sleep(pauseMillis);
        }
        run.flipIn(buffer, passed);
        write(out, buffer, passed);
        if (clientEnded == null && isCutAfter(passed, requestedSinceCut, cutRequestsEach)) {
          return;
        }
        if (clientEnded != null && isCutAfter(passed, sinceCut, cutEach)) {
          from.close();
          // The client gets all that has passed, and then the end.
          to.shutdownOutput();
          clientEnded.await();
          return;
        }
      }
    } catch (IOException | InterruptedException e) {
      // This connection is over. Others go on.
      return;
    } finally {
      ended();
    }
  }

  private synchronized void ended() {
    open--;
    notifyAll();
  }

  /** Waits until all connections have ended, so that no more bytes come. */
  public synchronized void awaitEnded() throws InterruptedException {
    while (open > 0) {
      wait();
    }
  }

  private void write(OutputStream out, byte[] bytes, int count) throws IOException {
    try {
      out.write(bytes, 0, count);
    } catch (IOException e) {
      if (!cutsByItself()) {
        throw e;
      }
      // Its connection was cut: what the client sends on it is dropped.
    }
  }

  private boolean cutsByItself() {
    return cutEach != Long.MAX_VALUE || cutRequestsEach != Long.MAX_VALUE;
  }

  private static boolean isCutAfter(int bytes, AtomicLong count, long each) {
    long since = count.addAndGet(bytes);
    return since >= each && count.compareAndSet(since, 0);
  }

  /**
   * Loses a connection each time that this many bytes of responses have passed, of all connections
   * together.
   */
  public void cutEach(long bytes) {
    cutEach = bytes;
  }

  /**
   * Loses a connection each time that this many bytes of requests have passed, of all connections
   * together. The server gets all that has passed.
   */
  public void cutRequestsEach(long bytes) {
    requestedSinceCut.set(0);
    cutRequestsEach = bytes;
  }

  /**
   * Connects to another port of this machine from now on, or to none if it is 0: then connections
   * are closed at once.
   */
  public void forwardTo(int port) {
    serverPort = port;
  }

  /** Bytes that servers have sent so far, including dropped ones. */
  public long respondedBytes() {
    return responded.get();
  }

  /** Equal bytes in a row. No header of a protocol has many. */
  private final class Run {
    private static final int LONG = 1000;

    private byte value;
    private int length;

    void flipIn(byte[] bytes, int count) {
      for (int i = 0; i < count; i++) {
        length = bytes[i] == value ? length + 1 : 1;
        value = bytes[i];
        if (length == LONG && corrupting.compareAndSet(true, false)) {
          // Base64 stays base64.
          bytes[i] ^= 2;
        }
      }
    }
  }

  /** Changes one byte of a file that consists of zeros, the next time that such a file passes. */
  public void corruptZeros() {
    corrupting.set(true);
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

  /** Lets this many bytes pass, both directions together, and then nothing more. */
  public synchronized void holdAfter(long bytes) {
    free = bytes;
  }

  /** From now on nothing passes, and nobody listens, as if the machine had vanished. */
  public void vanish() throws IOException {
    vanished = true;
    hold();
    listening.close();
  }

  /** Waits until something is held up for the first time. */
  public void awaitHeld() throws InterruptedException {
    held.await();
  }

  /** Delays every read, of at most 8 KiB, in both directions. */
  public void slow(long millis) {
    pauseMillis = millis;
  }

  /** Lets everything pass again, except dropped bytes. */
  public synchronized void release() {
    free = Long.MAX_VALUE;
    pauseMillis = 0;
    notifyAll();
  }

  /** Closes the connections that are open now. What is held up does not pass. */
  public synchronized void cut() {
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException e) {
        // It is closed already.
        continue;
      }
    }
    sockets.clear();
    release();
  }

  /** From then on connections are refused. */
  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    boolean listened = !listening.isClosed();
    InetSocketAddress address = (InetSocketAddress) listening.getLocalSocketAddress();
    listening.close();
    cut();
    try {
      // The system accepts connections for as long as a thread is in accept().
      accepting.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (listened) {
      refusing = new RefusingPort(address);
    }
  }
}
