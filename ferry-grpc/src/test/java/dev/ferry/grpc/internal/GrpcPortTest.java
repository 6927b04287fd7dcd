package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.internal.raw.Messages;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.PortContract;
import dev.ferry.wire.internal.RawHttp2;
import dev.ferry.wire.internal.Refusals;
import dev.ferry.zerocopy.ZeroCopy;
import io.netty.handler.codec.http2.Http2CodecUtil;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The gRPC port, as a port. */
final class GrpcPortTest extends PortContract {
  @TempDir Path root;

  @Override
  protected Port start(ServerSettings settings) throws Exception {
    GrpcFilesServer server =
        GrpcFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, settings);
    return new Port() {
      @Override
      public int port() {
        return server.port();
      }

      @Override
      public Refusals refused() {
        return server.refused();
      }

      @Override
      public void close() {
        server.closeNow();
      }
    };
  }

  @Test
  void upload_windowsOfStreamAndConnection_areReturnedInQuarters() throws Exception {
    int quarter = ZeroCopy.WINDOW / 4;
    byte[] message = Messages.prefixed(false, Messages.chunk(new byte[16_000]));
    try (Port port = start(ServerSettings.defaults());
        RawHttp2 raw = RawHttp2.open(port.port())) {
      assertThat(raw.await(RawHttp2.SETTINGS).payload()).containsSequence(0, 4, 1, 0, 0, 0);
      // Makes the connection's window as large as that of a stream.
      int first = increment(raw, 0);
      raw.call(1, "Upload");
      raw.send(RawHttp2.DATA, 0, 1, Messages.prefixed(false, Messages.facts("f", -1)));
      for (int sent = 0; sent < quarter; sent += message.length) {
        raw.send(RawHttp2.DATA, 0, 1, message);
      }

      assertThat(first).isEqualTo(ZeroCopy.WINDOW - Http2CodecUtil.DEFAULT_WINDOW_SIZE);
      // The connection's comes first, since its bytes need not be consumed.
      assertThat(increment(raw, 0)).isBetween(quarter, 2 * quarter - 1);
      assertThat(increment(raw, 1)).isBetween(quarter, 2 * quarter - 1);
    }
  }

  /** Returns the next increment of the window of a stream, or of the connection. */
  private static int increment(RawHttp2 raw, int stream) throws IOException {
    RawHttp2.Frame update = raw.await(RawHttp2.WINDOW_UPDATE);
    while (update.stream() != stream) {
      update = raw.await(RawHttp2.WINDOW_UPDATE);
    }
    return ByteBuffer.wrap(update.payload()).getInt();
  }

  @Override
  protected boolean speaksHttp1() {
    return false;
  }

  @Override
  protected String loggerOfTheStack() {
    return "io.grpc";
  }
}
