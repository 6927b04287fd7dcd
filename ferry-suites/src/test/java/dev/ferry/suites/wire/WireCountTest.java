package dev.ferry.suites.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.lab.model.Part;
import dev.ferry.lab.suite.Operation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

final class WireCountTest {
  private static final int BYTES = 1 << 20;

  /** Sends bytes over the loopback, and as many again when it is checked. */
  private static final class Sender implements Operation {
    private int sent;

    @Override
    public void run(int worker, int operation) throws IOException {
      try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
          Socket out = new Socket(listener.getInetAddress(), listener.getLocalPort());
          Socket in = listener.accept()) {
        byte[] piece = new byte[1 << 10];
        for (int i = 0; i < BYTES; i += piece.length) {
          out.getOutputStream().write(piece);
          in.getInputStream().readNBytes(piece.length);
        }
      }
      sent++;
    }

    @Override
    public Outcome outcome() {
      return Outcome.identity(BYTES, "none");
    }

    @Override
    public void check(int operation) throws IOException {
      run(0, operation);
    }

    @Override
    public List<Part> parts(int operations, long nanos) {
      return List.of(new Part("Sent", "", sent));
    }

    @Override
    public void close() {}
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void parts_ofASample_haveWhatTheKernelCountedPerOperation() throws IOException {
    try (WireCount operation = new WireCount(new Sender())) {
      operation.prepare();
      operation.run(0, 0);
      operation.run(0, 1);
      operation.check(0);
      operation.check(1);
      operation.checkAll(2);

      List<Part> parts = operation.parts(2, 1);
      assertThat(parts).extracting(Part::name).containsExactly("Sent", WireCount.PART);
      assertThat(parts.get(0).value()).isEqualTo(4);
      // Other programs of the machine may have sent something as well.
      assertThat(parts.get(1).value() * 1024).isGreaterThan(BYTES);
    }
  }
}
