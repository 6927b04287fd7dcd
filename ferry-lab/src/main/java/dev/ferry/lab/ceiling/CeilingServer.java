package dev.ferry.lab.ceiling;

import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The server's end of ceilings if it has a process of its own. */
public final class CeilingServer {
  private static final int ECHO_BYTES = 1 << 10;

  private CeilingServer() {}

  /** Starts it on a free port. */
  public static SocketServer start(Workplace workplace) throws IOException {
    return SocketServer.start("ferry-ceiling-connection", channel -> serve(workplace, channel));
  }

  private static void serve(Workplace workplace, SocketChannel channel) throws IOException {
    CeilingRequest request = CeilingRequest.read(channel);
    if (request.way().equals(CeilingRequest.ECHO)) {
      echo(channel);
    } else {
      SocketService.start(request, workplace, channel).join();
    }
  }

  private static void echo(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    ByteBuffer buffer = ByteBuffer.allocateDirect(ECHO_BYTES);
    while (channel.read(buffer.clear()) >= 0) {
      SocketEnd.writeAll(channel, buffer.flip());
    }
  }
}
