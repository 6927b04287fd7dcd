package dev.ferry.web.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Forwards connections to a server, and keeps what their clients send. */
final class RecordingProxy implements AutoCloseable {
  private final ServerSocket listening;
  private final int serverPort;
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final List<ByteArrayOutputStream> recordings = new CopyOnWriteArrayList<>();

  RecordingProxy(int serverPort) throws IOException {
    this.serverPort = serverPort;
    listening = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    executor.execute(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** What each connection has sent. */
  List<byte[]> recordings() {
    return recordings.stream().map(ByteArrayOutputStream::toByteArray).toList();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Socket server = new Socket(listening.getInetAddress(), serverPort);
        ByteArrayOutputStream recording = new ByteArrayOutputStream();
        recordings.add(recording);
        executor.execute(() -> copy(client, server, recording));
        executor.execute(() -> copy(server, client, new ByteArrayOutputStream()));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private static void copy(Socket from, Socket to, ByteArrayOutputStream recording) {
    byte[] buffer = new byte[8192];
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        recording.write(buffer, 0, n);
        out.write(buffer, 0, n);
      }
    } catch (IOException e) {
      // The other end is gone.
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    executor.shutdown();
  }
}
