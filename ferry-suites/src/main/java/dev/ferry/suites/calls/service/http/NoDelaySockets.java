package dev.ferry.suites.calls.service.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/**
 * Creates sockets with TCP_NODELAY, which OkHttp does not set. Without it, the first request over
 * TLS waits about 40 ms for the server to acknowledge the end of the handshake.
 */
final class NoDelaySockets extends SocketFactory {
  @Override
  public Socket createSocket() throws IOException {
    return noDelay(new Socket());
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return noDelay(new Socket(host, port));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localHost, int localPort)
      throws IOException {
    return noDelay(new Socket(host, port, localHost, localPort));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return noDelay(new Socket(host, port));
  }

  @Override
  public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
      throws IOException {
    return noDelay(new Socket(address, port, localAddress, localPort));
  }

  private static Socket noDelay(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    return socket;
  }
}
