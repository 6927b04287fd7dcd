package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Background;
import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.QuietGrpc;
import dev.ferry.core.RateLimit;
import dev.ferry.core.Round;
import dev.ferry.core.StorePath;
import dev.ferry.core.StoreRule;
import dev.ferry.core.TestFiles;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.grpc.internal.raw.Messages;
import dev.ferry.wire.Admission;
import dev.ferry.wire.Caller;
import dev.ferry.wire.Callers;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.Token;
import dev.ferry.wire.internal.RawHttp2;
import dev.ferry.wire.internal.contract.Limits;
import dev.ferry.wire.internal.v1.DownloadRequest;
import dev.ferry.wire.internal.v1.ListRequest;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client of one address that begins hundreds of calls and reads nothing, and a good one of
 * another. What the first lets wait would be gigabytes.
 */
@ExtendWith(QuietGrpc.class)
@Timeout(300)
final class FairCallsTest {
  private static final String GREEDY = "127.0.0.2";
  private static final int CONNECTIONS = 4;
  private static final int CALLS = 100;
  private static final int TURNS = Round.times(3, 10);
  private static final int PREFIX = 5;
  private static final int SIZE = 200_000;
  private static final int HELD = 30_000;
  private static final int WINDOW = 16 << 20;
  private static final int CHUNK = 16_000;
  private static final String HELD_BACK = "ferry_held_back";
  private static final long HUGE = 1L << 40;

  @TempDir Path root;
  @TempDir Path local;
  private final List<Socket> greedy = new ArrayList<>();
  private final LongAdder sent = new LongAdder();

  private Socket connect(int port) throws IOException {
    Socket socket =
        new Socket(InetAddress.getByName("127.0.0.1"), port, InetAddress.getByName(GREEDY), 0);
    greedy.add(socket);
    return socket;
  }

  /** Begins the calls of one connection, which the server may cut in their middle. */
  private void begin(int port, String method, byte[] messages, int flags) throws IOException {
    Socket socket = connect(port);
    try {
      begin(new RawHttp2(socket), method, messages, flags);
    } catch (SocketException e) {
      assertThat(e).hasMessageMatching("Connection reset.*|Broken pipe");
    }
  }

  private static void begin(RawHttp2 raw, String method, byte[] messages, int flags)
      throws IOException {
    raw.send(RawHttp2.PREFACE);
    // No byte of a response may be sent: what the server makes of it waits.
    raw.send(RawHttp2.SETTINGS, 0, 0, ByteBuffer.allocate(6).putShort((short) 4).array());
    for (int stream = 1; stream < 2 * CALLS; stream += 2) {
      raw.call(stream, method, "grpc-accept-encoding", "gzip");
      raw.send(RawHttp2.DATA, flags, stream, messages);
    }
  }

  private void assertOthersAreServed(String method, byte[] request) throws Exception {
    assertOthersAreServed(method, Messages.prefixed(false, request), RawHttp2.END_STREAM);
  }

  private void assertOthersAreServed(String method, byte[] messages, int flags) throws Exception {
    Path file = TestFiles.write(root.resolve("file"), TestFiles.incompressible(SIZE, 1));
    try (GrpcFilesServer server = serve(ServerSettings.defaults());
        Closeable unused = this::closeGreedy) {
      for (int i = 0; i < CONNECTIONS; i++) {
        begin(server.port(), method, messages, flags);
      }
      assertOthersAreServed(server, null, file);
    }
  }

  private GrpcFilesServer serve(ServerSettings settings) throws Exception {
    return GrpcFilesServer.start(LocalFileStore.open(root), "127.0.0.1", 0, settings);
  }

  private void assertOthersAreServed(GrpcFilesServer server, @Nullable Token token, Path file)
      throws Exception {
    try (Carrier good = GrpcFiles.connect("127.0.0.1", server.port(), null, token)) {
      for (int i = 0; i < TURNS; i++) {
        var unused = good.upload(file, StorePath.parse("new"), TransferOptions.DEFAULT);
        Path back = local.resolve("back" + i);
        unused = good.download(StorePath.parse("new"), back, TransferOptions.DEFAULT);
        assertThat(Files.mismatch(back, file)).isEqualTo(-1);
        assertThat(good.list(StorePath.ROOT)).isNotEmpty();
      }
    } catch (FerryException e) {
      throw new AssertionError("refused by the server: " + server.refusals(), e);
    }
  }

  private void closeGreedy() throws IOException {
    for (Socket socket : greedy) {
      socket.close();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void download_unreadByManyCalls_othersAreServed(boolean compressed) throws Exception {
    TestFiles.sparse(root.resolve("zeros"), HUGE);
    DownloadRequest request =
        DownloadRequest.newBuilder().setPath("zeros").setCompress(compressed).build();
    assertOthersAreServed("Download", request.toByteArray());
  }

  @Test
  void upload_ofManyMessagesThatNeverEnd_othersAreServed() throws Exception {
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    messages.writeBytes(Messages.prefixed(false, Messages.facts("huge", -1)));
    messages.writeBytes(ByteBuffer.allocate(PREFIX + HELD).putInt(1, Limits.MAX_MESSAGE).array());
    assertOthersAreServed("Upload", messages.toByteArray(), 0);
  }

  /** A user whose limit lets next to nothing pass, beside one that has none. */
  private static final class Limited implements Callers {
    private final RateLimit limit = RateLimit.bytesPerSecond(1024);
    private final List<StoreRule> rules;

    Limited() throws FerryException {
      rules = List.of(StoreRule.parse("all:/"));
    }

    @Override
    public @Nullable Caller find(String token) {
      return new Caller(token, rules);
    }

    @Override
    public Admission admit(Caller caller) {
      return caller.name().equals(HELD_BACK) ? new Admission(() -> {}, limit) : Admission.FREE;
    }
  }

  /** Sends an upload until the server does not read it any more, and the socket is closed. */
  private Void sendAll(RawHttp2 raw, int number) throws IOException {
    raw.call(1, "Upload", "authorization", "Bearer " + HELD_BACK);
    raw.send(RawHttp2.DATA, 0, 1, Messages.prefixed(false, Messages.facts("held" + number, -1)));
    byte[] chunk = Messages.prefixed(false, Messages.chunk(new byte[CHUNK]));
    for (int left = WINDOW - 2 * CHUNK; left > 0; left -= chunk.length) {
      raw.send(RawHttp2.DATA, 0, 1, chunk);
      sent.add(chunk.length);
    }
    return null;
  }

  /** All windows together are more than the direct memory of the process. */
  @Test
  void upload_ofManyMessagesThatWait_othersAreServed() throws Exception {
    Path file = TestFiles.write(root.resolve("file"), TestFiles.incompressible(SIZE, 1));
    long windows = Runtime.getRuntime().maxMemory() / WINDOW;
    try (GrpcFilesServer server = serve(ServerSettings.defaults().withCallers(new Limited()));
        Closeable closes = this::closeGreedy) {
      for (int i = 0; i <= windows; i++) {
        RawHttp2 raw = RawHttp2.open(connect(server.port()));
        raw.acceptSettings();
        int number = i;
        var sending = Background.start(() -> sendAll(raw, number));
      }
      // The server has taken a share, and what it takes beyond it becomes less and less.
      long share = Runtime.getRuntime().maxMemory() / 8;
      for (long before = -1; before < sent.sum() || before < share; Thread.sleep(500)) {
        before = sent.sum();
      }
      assertOthersAreServed(server, Token.parse("ferry_good"), file);
    }
  }

  @Test
  void list_unreadByManyCalls_othersAreServed() throws Exception {
    for (int i = 0; i < 500; i++) {
      Files.createFile(root.resolve("file-with-some-name-" + i));
    }
    assertOthersAreServed("List", ListRequest.getDefaultInstance().toByteArray());
  }
}
