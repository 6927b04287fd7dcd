package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.Uninterruptibles;
import dev.ferry.core.Background;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.RemoteStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.TcpProxy;
import dev.ferry.core.TestFiles;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.Callers;
import dev.ferry.wire.CallersFile;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.Token;
import dev.ferry.wire.internal.RawHttp2;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** No server calls a store that waits for a network on an event loop. */
final class RemoteStoreTest {
  private static final int BYTES = 24_000_000;
  private static final int SOME = 4_000_000;

  /** More than a server has threads for a remote store. */
  private static final int CALLS = 300;

  private static final int THREADS_OF_ONE = 128;

  /** Fewer than a connection may have. */
  private static final int CALLS_PER_CARRIER = 75;

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void requests_ofEachKind_spareTheEventLoops(Ways way) throws Exception {
    Path source = TestFiles.write(folder.resolve("local/a"), TestFiles.random(300_000, 1));
    Path target = folder.resolve("local/back");
    RemoteStore store = store();
    try (ServerPort server = way.serve(store, ServerSettings.defaults());
        Carrier carrier = way.connect(server.port(), null)) {
      RemoteStore spared = store.spare(server.eventLoops());
      carrier.change(new Change.MakeDirectory(path("dir"), false), CallLimits.DEFAULT);
      for (boolean gzip : new boolean[] {false, true}) {
        for (Digest.Algorithm algorithm : Digest.Algorithm.values()) {
          TransferOptions options = TransferOptions.DEFAULT.withGzip(gzip).withDigest(algorithm);
          Transfer sent = carrier.upload(source, path("dir/a"), options);
          assertThat(sent.facts().size()).isEqualTo(300_000);
          Transfer received = carrier.download(path("dir/a"), target, options);
          assertThat(received.facts().size()).isEqualTo(300_000);
        }
      }
      assertThat(carrier.stat(path("dir/a"), Digest.Algorithm.SHA256, CallLimits.DEFAULT).sha256())
          .isNotNull();
      carrier.change(new Change.Move(path("dir/a"), path("dir/b"), false), CallLimits.DEFAULT);
      assertThat(carrier.list(path("dir"))).hasSize(1);
      carrier.change(new Change.Delete(path("dir/b"), null), CallLimits.DEFAULT);
      spared.awaitNothingOpen();
      spared.assertSpared();
    }
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.web.internal.Ways#some")
  void transfers_thatAreCut_spareTheEventLoops(Ways way) throws Exception {
    Path source = TestFiles.write(folder.resolve("local/a"), TestFiles.incompressible(BYTES, 1));
    RemoteStore store = store();
    Files.copy(source, folder.resolve("store/a"));
    try (ServerPort server = way.serve(store, ServerSettings.defaults())) {
      RemoteStore spared = store.spare(server.eventLoops());
      TransferOptions options = TransferOptions.DEFAULT;
      cut(way, server, carrier -> carrier.upload(source, path("b"), options));
      cut(way, server, carrier -> carrier.download(path("a"), folder.resolve("local/b"), options));
      spared.awaitNothingOpen();
      spared.assertSpared();
    }
    assertThat(TestFiles.tree(folder)).containsExactly("local/", "local/a", "store/", "store/a");
  }

  /** Moves a file by a carrier. */
  @FunctionalInterface
  private interface Move {
    Transfer by(Carrier carrier) throws Exception;
  }

  private static void cut(Ways way, ServerPort server, Move move) throws Exception {
    try (TcpProxy proxy = new TcpProxy(server.port());
        Carrier carrier = way.connect(proxy.port(), null)) {
      proxy.holdAfter(SOME);
      Background<Transfer> transfer = Background.start(() -> move.by(carrier));
      proxy.awaitHeld();
      proxy.close();
      assertThat(transfer.failure()).isNotNull();
    }
  }

  @Test
  void responses_withoutTheFile_spareTheEventLoops() throws Exception {
    RemoteStore store = store();
    Path file = TestFiles.write(folder.resolve("store/a"), TestFiles.random(1000, 1));
    String version = store.stat(path("a"), false).version();
    try (ServerPort server = Ways.HTTP.serve(store, ServerSettings.defaults())) {
      RemoteStore spared = store.spare(server.eventLoops());
      URI uri = URI.create("http://127.0.0.1:" + server.port() + "/files/" + file.getFileName());
      HttpClient client = HttpClient.newHttpClient();
      for (List<String> field :
          List.of(
              List.of("If-None-Match", "\"" + version + "\""), List.of("Range", "bytes=1000-"))) {
        HttpResponse<String> response =
            client.send(
                HttpRequest.newBuilder(uri).header(field.get(0), field.get(1)).build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).isIn(304, 416);
      }
      spared.awaitNothingOpen();
      spared.assertSpared();
    }
  }

  @Test
  void requestsOverHttp2_spareTheEventLoops() throws Exception {
    RemoteStore store = store();
    TestFiles.write(folder.resolve("store/a"), TestFiles.random(1000, 1));
    TestFiles.sparse(folder.resolve("store/large"), BYTES);
    try (ServerPort server = Ways.HTTP.serve(store, ServerSettings.defaults());
        RawHttp2 raw = RawHttp2.open(server.port())) {
      RemoteStore spared = store.spare(server.eventLoops());
      raw.request(1, true, "GET", "/files/a");
      assertThat(raw.body(1)).hasSize(1000);
      raw.request(3, false, "PUT", "/files/b");
      raw.send(RawHttp2.DATA, RawHttp2.END_STREAM, 3, new byte[2000]);
      while (raw.await(RawHttp2.HEADERS).stream() != 3) {
        // Those of the response before.
      }
      raw.request(5, false, "PUT", "/files/c");
      raw.send(RawHttp2.DATA, 0, 5, new byte[2000]);
      raw.resetStream(5);
      raw.request(7, true, "GET", "/files/large");
      while (raw.await(RawHttp2.DATA).stream() != 7) {
        // Those of the responses before.
      }
      raw.resetStream(7);
      spared.awaitNothingOpen();
      spared.assertSpared();
    }
    assertThat(TestFiles.tree(folder))
        .containsExactly("store/", "store/a", "store/b", "store/large");
  }

  @ParameterizedTest
  @EnumSource(names = {"GRPC", "HTTP", "WEB"})
  void calls_ofACallerThatHasMoreThanThreads_leaveSomeToOthers(Ways way) throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    FileStore slow =
        new ForwardingStore(store()) {
          @Override
          public FileFacts stat(StorePath path, boolean digest) throws FerryException {
            if (path.value().equals("slow")) {
              Uninterruptibles.awaitUninterruptibly(end);
            }
            return store().stat(path, digest);
          }
        };
    TestFiles.write(folder.resolve("store/slow"), TestFiles.random(1000, 1));
    Path source = TestFiles.write(folder.resolve("local/a"), TestFiles.random(1000, 2));
    List<Carrier> carriers = new ArrayList<>();
    try (ServerPort server = way.serve(slow, ServerSettings.defaults().withCallers(callers()))) {
      List<Background<FileFacts>> calls = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        if (i % CALLS_PER_CARRIER == 0) {
          carriers.add(way.connect(server.port(), token("greedy")));
        }
        Carrier carrier = carriers.get(i / CALLS_PER_CARRIER);
        calls.add(Background.start(() -> carrier.stat(path("slow"), null, CallLimits.DEFAULT)));
      }
      while (server.queued() < CALLS - THREADS_OF_ONE) {
        Thread.sleep(2);
      }

      try (Carrier other = way.connect(server.port(), token("other"))) {
        other.upload(source, path("a"), TransferOptions.DEFAULT);
        assertThat(other.list(StorePath.ROOT)).hasSize(2);
        other.download(path("a"), folder.resolve("local/b"), TransferOptions.DEFAULT);
      }

      assertThat(server.queued()).isEqualTo(CALLS - THREADS_OF_ONE);
      end.countDown();
      for (Background<FileFacts> call : calls) {
        assertThat(call.result().size()).isEqualTo(1000);
      }
    } finally {
      end.countDown();
      carriers.forEach(Carrier::close);
    }
  }

  private Callers callers() throws Exception {
    for (String name : List.of("greedy", "other")) {
      Path token = folder.resolve("token of " + name);
      Files.writeString(
          token, CallersFile.addToken(folder.resolve("callers"), name, List.of("all:/")));
    }
    return CallersFile.open(folder.resolve("callers"));
  }

  private Token token(String name) throws Exception {
    return Token.parse(Files.readString(folder.resolve("token of " + name)));
  }

  private RemoteStore store() throws Exception {
    return new RemoteStore(LocalFileStore.open(Files.createDirectory(folder.resolve("store"))));
  }

  private static StorePath path(String text) throws Exception {
    return StorePath.parse(text);
  }
}
