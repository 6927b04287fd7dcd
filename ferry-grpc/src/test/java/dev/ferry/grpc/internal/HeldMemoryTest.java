package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.internal.raw.Messages;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp2;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The direct memory that incomplete messages hold at a server. */
final class HeldMemoryTest {
  private static final int READS = 400;
  private static final int CONNECTIONS = 20;

  /** Bytes for each read: of the read itself, some ten, and what a pool adds to them. */
  private static final int MOST = 1024;

  @TempDir Path root;
  private final MeasuredEnd end = new MeasuredEnd();

  private GrpcFilesServer start() throws Exception {
    return GrpcFilesServer.start(
        LocalFileStore.open(root), "127.0.0.1", 0, end.setup(), ServerSettings.defaults());
  }

  /** Begins an upload whose second message is incomplete. */
  private static void begin(RawHttp2 raw) throws IOException {
    raw.call(1, "Upload");
    raw.send(RawHttp2.DATA, 0, 1, Messages.prefixed(false, Messages.facts("f", -1)));
    raw.send(RawHttp2.DATA, 0, 1, ByteBuffer.allocate(5).putInt(1, 4_000_000).array());
    sendByte(raw);
  }

  /** Returns when the server has read the byte. */
  private static void sendByte(RawHttp2 raw) throws IOException {
    raw.send(RawHttp2.DATA, 0, 1, new byte[1]);
    raw.send(RawHttp2.PING, 0, 0, new byte[8]);
    RawHttp2.Frame unused = raw.await(RawHttp2.PING);
  }

  @Test
  void message_thatArrivesByteByByte_holdsLittle() throws Exception {
    try (GrpcFilesServer server = start();
        RawHttp2 raw = RawHttp2.open(server.port())) {
      begin(raw);
      for (int i = 0; i < READS; i++) {
        sendByte(raw);
      }
      assertThat(end.usedBytes()).isLessThan(READS * MOST);
    }
    end.awaitDrained();
  }

  @Test
  void messages_ofManyConnections_holdLittle() throws Exception {
    List<RawHttp2> open = new ArrayList<>();
    try (GrpcFilesServer server = start()) {
      for (int i = 0; i < CONNECTIONS; i++) {
        RawHttp2 raw = RawHttp2.open(server.port());
        open.add(raw);
        begin(raw);
      }
      // Each has read its preface, its settings, the call and the messages.
      assertThat(end.usedBytes()).isLessThan(CONNECTIONS * 8 * MOST);
      for (RawHttp2 raw : open) {
        raw.close();
      }
    }
    end.awaitDrained();
  }
}
