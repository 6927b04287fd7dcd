package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.ferry.core.Background;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Round;
import dev.ferry.core.StorePath;
import dev.ferry.core.StoreRule;
import dev.ferry.core.TcpProxy;
import dev.ferry.core.TestFiles;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import dev.ferry.wire.Admission;
import dev.ferry.wire.Caller;
import dev.ferry.wire.Callers;
import dev.ferry.wire.EndedRequest;
import dev.ferry.wire.RequestListener;
import dev.ferry.wire.ServedRequest;
import dev.ferry.wire.ServedRequest.Operation;
import dev.ferry.wire.ServerPort;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.Token;
import dev.ferry.wire.internal.RawHttp;
import dev.ferry.wire.internal.RawHttp2;
import io.grpc.ManagedChannel;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What ports report of their requests, and how they drain. */
@Timeout(300)
class RequestListenerTest {
  private static final int SIZE = 300_000;
  private static final long LARGE = (long) Round.times(40, 64) << 20;
  private static final Duration AT_ONCE = Duration.ZERO;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final AtomicInteger active = new AtomicInteger();
  private final BlockingQueue<EndedRequest> ended = new LinkedBlockingQueue<>();

  private final RequestListener listener =
      new RequestListener() {
        @Override
        public void began(ServedRequest request) {
          active.incrementAndGet();
        }

        @Override
        public void ended(EndedRequest request) {
          active.decrementAndGet();
          ended.add(request);
        }
      };

  @TempDir Path root;
  @TempDir Path local;

  private ServerSettings settings() {
    return ServerSettings.defaults().withListener(listener);
  }

  private ServerPort serve(Ways way) throws FerryException {
    return way.serve(LocalFileStore.open(root), settings());
  }

  /** Returns the next request for an operation; clients may send others, for instance digests. */
  private EndedRequest next(Operation operation) throws InterruptedException {
    while (true) {
      EndedRequest request = ended.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(request).as("a request for %s", operation).isNotNull();
      if (request.request().operation() == operation) {
        return request;
      }
    }
  }

  private void assertNext(
      Ways way, Operation operation, String path, long bytes, @Nullable ErrorKind error)
      throws InterruptedException {
    EndedRequest request = next(operation);
    assertThat(request.request().carrier()).isEqualTo(way.carrier());
    assertThat(request.request().peer())
        .isInstanceOfSatisfying(
            InetSocketAddress.class,
            peer -> assertThat(peer.getAddress().isLoopbackAddress()).isTrue());
    assertThat(request.path()).isEqualTo(path);
    assertThat(request.target()).isNull();
    assertThat(request.bytes()).isEqualTo(bytes);
    assertThat(request.error()).isEqualTo(error);
    assertThat(request.duration()).isPositive();
    assertThat(request.caller()).isNull();
  }

  private static StorePath path(String path) throws FerryException {
    return StorePath.parse(path);
  }

  private Transferring download(Ways way, int port, String path) {
    Carrier carrier = way.connect(port, null);
    return new Transferring(
        carrier,
        Background.start(
            () ->
                carrier.download(
                    path(path), local.resolve("back"), TransferOptions.DEFAULT.withDigest(null))));
  }

  /** A transfer under way. */
  private record Transferring(Carrier carrier, Background<?> call) implements AutoCloseable {
    @Override
    public void close() {
      carrier.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void requests_ofEachOperation_areReported(Ways way) throws Exception {
    Path file = TestFiles.write(local.resolve("file"), TestFiles.compressible(SIZE, 1));
    try (ServerPort server = serve(way);
        Carrier carrier = way.connect(server.port(), null)) {
      for (boolean gzip : new boolean[] {false, true}) {
        TransferOptions options = TransferOptions.DEFAULT.withGzip(gzip);
        carrier.upload(file, path("ä b"), options);
        assertNext(way, Operation.UPLOAD, "ä b", SIZE, null);
        carrier.download(path("ä b"), local.resolve("back"), options);
        assertNext(way, Operation.DOWNLOAD, "ä b", SIZE, null);
      }
      carrier.list(StorePath.ROOT);
      assertNext(way, Operation.LIST, "", 0, null);
      ended.clear();
      carrier.stat(path("ä b"), null, CallLimits.DEFAULT);
      assertNext(way, Operation.STAT, "ä b", 0, null);
      assertThatThrownBy(() -> carrier.stat(path("none"), null, CallLimits.DEFAULT))
          .isInstanceOf(FerryException.class);
      assertNext(way, Operation.STAT, "none", 0, ErrorKind.NOT_FOUND);
      assertThat(server.awaitRequests(PATIENCE)).isTrue();
    }
    assertThat(active).hasValue(0);
  }

  @ParameterizedTest
  @EnumSource
  void changesAndUploadsThatGoOn_areReported(Ways way) throws Exception {
    Path file = TestFiles.write(local.resolve("file"), TestFiles.compressible(SIZE, 1));
    UploadId id = UploadId.random();
    try (ServerPort server = serve(way);
        Carrier carrier = way.connect(server.port(), null)) {
      carrier.change(new Change.MakeDirectory(path("d"), false), CallLimits.DEFAULT);
      assertNext(way, Operation.MAKE_DIRECTORY, "d", 0, null);
      carrier.upload(
          file, path("d/f"), TransferOptions.DEFAULT.withUpload(new UploadPart(id, 0, SIZE)));
      assertNext(way, Operation.UPLOAD, "d/f", SIZE, null);
      carrier.uploadStatus(id, CallLimits.DEFAULT);
      EndedRequest status = next(Operation.UPLOAD_STATUS);
      assertThat(status.error()).isNull();
      // The id may be all that it takes to continue an upload.
      assertThat(status.path()).isNull();
      assertThatThrownBy(() -> carrier.cancelUpload(UploadId.random(), CallLimits.DEFAULT))
          .isInstanceOf(FerryException.class);
      assertThat(next(Operation.CANCEL_UPLOAD).error()).isEqualTo(ErrorKind.NOT_FOUND);
      carrier.change(new Change.Move(path("d/f"), path("g"), false), CallLimits.DEFAULT);
      EndedRequest moved = next(Operation.MOVE);
      assertThat(moved.path()).isEqualTo("d/f");
      assertThat(moved.target()).isEqualTo("g");
      assertThat(moved.error()).isNull();
      carrier.change(new Change.Delete(path("g"), null), CallLimits.DEFAULT);
      assertNext(way, Operation.DELETE, "g", 0, null);
    }
  }

  @ParameterizedTest
  @EnumSource
  void request_ofACaller_hasItsName(Ways way) throws Exception {
    String secret = "ferry_" + "a".repeat(43);
    Caller alice = new Caller("alice", List.of(StoreRule.parse("all:/")));
    ServerSettings settings = settings().withCallers(t -> t.equals(secret) ? alice : null);
    try (ServerPort server = way.serve(LocalFileStore.open(root), settings);
        Carrier known = way.connect(server.port(), Token.parse(secret));
        Carrier stranger = way.connect(server.port(), null)) {
      known.list(StorePath.ROOT);
      assertThat(next(Operation.LIST).caller()).isEqualTo("alice");
      assertThatThrownBy(() -> stranger.list(StorePath.ROOT)).isInstanceOf(FerryException.class);
      EndedRequest refused = next(Operation.LIST);
      assertThat(refused.caller()).isNull();
      assertThat(refused.error()).isEqualTo(ErrorKind.UNAUTHENTICATED);
    }
  }

  /** No client of the product speaks plain HTTP over HTTP/2. */
  @Test
  void requests_overHttp2_areReported() throws Exception {
    TestFiles.write(root.resolve("small"), new byte[1000]);
    TestFiles.sparse(root.resolve("large"), LARGE);
    String secret = "ferry_" + "a".repeat(43);
    Caller alice = new Caller("alice", List.of(StoreRule.parse("all:/")));
    ServerSettings settings = settings().withCallers(t -> t.equals(secret) ? alice : null);
    String[] token = {"authorization", "Bearer " + secret};
    try (ServerPort server = Ways.HTTP.serve(LocalFileStore.open(root), settings);
        RawHttp2 raw = RawHttp2.open(server.port())) {
      raw.request(1, true, "GET", "/files/small", token);
      assertThat(raw.body(1)).hasSize(1000);
      assertOverHttp2(Operation.DOWNLOAD, "alice", 1000, null);

      raw.request(3, false, "PUT", "/files/new", token);
      raw.send(RawHttp2.DATA, RawHttp2.END_STREAM, 3, new byte[2000]);
      assertOverHttp2(Operation.UPLOAD, "alice", 2000, null);
      assertThat(root.resolve("new")).hasSize(2000);

      raw.request(5, true, "DELETE", "/files/small");
      assertOverHttp2(Operation.DELETE, null, 0, ErrorKind.UNAUTHENTICATED);

      raw.request(7, true, "GET", "/files/large", token);
      while (raw.await(RawHttp2.DATA).stream() != 7) {
        // Those of the response before.
      }
      raw.resetStream(7);
      EndedRequest cut = next(Operation.DOWNLOAD);
      assertThat(cut.error()).isEqualTo(ErrorKind.CANCELLED);
      assertThat(cut.bytes()).isLessThan(LARGE);
    }
    assertThat(active).hasValue(0);
  }

  private void assertOverHttp2(
      Operation operation, @Nullable String caller, long bytes, @Nullable ErrorKind error)
      throws InterruptedException {
    EndedRequest request = next(operation);
    assertThat(request.request().carrier()).isEqualTo(ServedRequest.CarrierName.HTTP_2);
    assertThat(request.caller()).isEqualTo(caller);
    assertThat(request.bytes()).isEqualTo(bytes);
    assertThat(request.error()).isEqualTo(error);
  }

  @ParameterizedTest
  @EnumSource
  void refusedRequests_ofEachReason_areReported(Ways way) throws Exception {
    Path file = TestFiles.write(local.resolve("file"), TestFiles.compressible(SIZE, 1));
    String busy = "ferry_" + "a".repeat(43);
    Caller alice = new Caller("alice", List.of(StoreRule.parse("all:/")));
    Callers callers =
        new Callers() {
          @Override
          public @Nullable Caller find(String token) {
            return token.equals(busy) ? alice : null;
          }

          @Override
          public Admission admit(Caller caller) throws FerryException {
            throw new FerryException(ErrorKind.OVERLOADED, "too many");
          }
        };
    ServerSettings refusing = settings().withCallers(callers);
    try (ServerPort server = way.serve(LocalFileStore.open(root), refusing)) {
      for (String token : new String[] {"", "ferry_" + "b".repeat(43), busy}) {
        ErrorKind error = token.equals(busy) ? ErrorKind.OVERLOADED : ErrorKind.UNAUTHENTICATED;
        try (Carrier carrier =
            way.connect(server.port(), token.isEmpty() ? null : Token.parse(token))) {
          assertThatThrownBy(
                  () -> carrier.download(path("f"), local.resolve("g"), TransferOptions.DEFAULT))
              .isInstanceOf(FerryException.class);
          assertThat(next(Operation.DOWNLOAD).error()).isEqualTo(error);
          assertThatThrownBy(() -> carrier.upload(file, path("f"), TransferOptions.DEFAULT))
              .isInstanceOf(FerryException.class);
          assertThat(next(Operation.UPLOAD).error()).isEqualTo(error);
          assertThatThrownBy(
                  () -> carrier.change(new Change.Delete(path("f"), null), CallLimits.DEFAULT))
              .isInstanceOf(FerryException.class);
          assertThat(next(Operation.DELETE).error()).isEqualTo(error);
        }
      }
      assertThat(server.awaitRequests(PATIENCE)).isTrue();
    }
    assertThat(active).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"grpc-encoding: br", "grpc-timeout: soon"})
  void callOfGrpcWeb_withAnInvalidField_isReported(String field) throws Exception {
    try (ServerPort server = serve(Ways.WEB)) {
      exchange(
          server,
          "POST /ferry.v1.Files/Stat HTTP/1.1\r\nContent-Type: application/grpc-web+proto\r\n"
              + "Content-Length: 5\r\n"
              + field
              + "\r\n");
      EndedRequest refused = next(Operation.STAT);
      assertThat(refused.request().carrier()).isEqualTo(ServedRequest.CarrierName.GRPC_WEB);
      assertThat(refused.error()).isEqualTo(ErrorKind.INVALID_REQUEST);
    }
  }

  @ParameterizedTest
  @EnumSource
  void download_thatTheClientCuts_isReported(Ways way) throws Exception {
    TestFiles.sparse(root.resolve("large"), LARGE);
    try (ServerPort server = serve(way);
        TcpProxy proxy = new TcpProxy(server.port())) {
      proxy.holdAfter(1 << 20);
      try (Transferring get = download(way, proxy.port(), "large")) {
        proxy.awaitHeld();
        get.call().interrupt();
        get.call().failure();
        proxy.cut();
        EndedRequest cut = next(Operation.DOWNLOAD);
        assertThat(cut.error()).isEqualTo(ErrorKind.CANCELLED);
        assertThat(cut.path()).isEqualTo("large");
        assertThat(cut.bytes()).isLessThan(LARGE);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.web.internal.Ways#some")
  void drain_refusesNewRequestsAndLetsOthersEnd(Ways way) throws Exception {
    TestFiles.sparse(root.resolve("large"), LARGE);
    try (ServerPort server = serve(way);
        TcpProxy proxy = new TcpProxy(server.port());
        Carrier known = way.connect(server.port(), null)) {
      known.stat(path("large"), null, CallLimits.DEFAULT);
      proxy.holdAfter(1 << 20);
      try (Transferring get = download(way, proxy.port(), "large")) {
        proxy.awaitHeld();
        server.drain();

        assertThat(refused(known).kind()).isEqualTo(ErrorKind.UNAVAILABLE);
        try (Carrier fresh = way.connect(server.port(), null)) {
          FerryException refused = refused(fresh);
          assertThat(refused.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
          assertThat(refused).hasMessageContaining("the server is shutting down");
          assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(5));
        }
        assertThat(server.awaitRequests(AT_ONCE)).isFalse();
        proxy.release();
        get.call().result();
        assertThat(local.resolve("back")).hasSize(LARGE);
        assertThat(server.awaitRequests(PATIENCE)).isTrue();
      }
    }
  }

  private static FerryException refused(Carrier carrier) {
    return catchThrowableOfType(
        FerryException.class, () -> carrier.stat(path("large"), null, CallLimits.DEFAULT));
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.web.internal.Ways#some")
  void endRequests_givesClientsAFailureToRepeat(Ways way) throws Exception {
    TestFiles.sparse(root.resolve("large"), LARGE);
    try (ServerPort server = serve(way);
        TcpProxy proxy = new TcpProxy(server.port())) {
      proxy.holdAfter(1 << 20);
      try (Transferring get = download(way, proxy.port(), "large")) {
        proxy.awaitHeld();
        server.endRequests();
        assertThat(next(Operation.DOWNLOAD).error()).isEqualTo(ErrorKind.UNAVAILABLE);
        proxy.release();
        FerryException failure = get.call().failure();
        assertThat(failure.retryAfter() != null || failure.outage() != null).isTrue();
        assertThat(local).isEmptyDirectory();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.ferry.web.internal.Ways#some")
  void endRequests_duringAnUpload_discardsIt(Ways way) throws Exception {
    Path file = TestFiles.sparse(local.resolve("large"), LARGE);
    try (ServerPort server = serve(way);
        TcpProxy proxy = new TcpProxy(server.port());
        Carrier carrier = way.connect(proxy.port(), null)) {
      proxy.holdAfter(1 << 20);
      Background<?> put =
          Background.start(() -> carrier.upload(file, path("new"), TransferOptions.DEFAULT));
      proxy.awaitHeld();
      server.endRequests();
      assertThat(next(Operation.UPLOAD).error()).isEqualTo(ErrorKind.UNAVAILABLE);
      proxy.release();
      assertThat(put.failure().kind()).isEqualTo(ErrorKind.UNAVAILABLE);
      TestFiles.awaitTree(root);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        "x"
      })
  void traceParent_isReportedIfWellFormed(String sent) throws Exception {
    try (ServerPort server = serve(Ways.HTTP)) {
      exchange(server, "GET /files/?token=secret HTTP/1.1\r\ntraceparent: " + sent + "\r\n");
      EndedRequest request = next(Operation.LIST);
      assertThat(request.request().traceParent())
          .isEqualTo(sent.startsWith("00-4bf") ? sent : null);
      assertThat(request.path()).isEmpty();
      exchange(
          server,
          "POST /ferry.v1.Files/Stat HTTP/1.1\r\nContent-Type: application/grpc-web+proto\r\n"
              + "Content-Length: 5\r\ntraceparent: "
              + sent
              + "\r\n");
      assertThat(next(Operation.STAT).request().traceParent())
          .isEqualTo(sent.startsWith("00-4bf") ? sent : null);
    }
  }

  private static String exchange(ServerPort server, String head) throws IOException {
    return RawHttp.exchange(
        server.port(), head, new byte[head.contains("Content-Length: 5\r\n") ? 5 : 0]);
  }

  @Test
  void refusedRequests_areReportedWithoutQueries() throws Exception {
    try (ServerPort server = serve(Ways.HTTP)) {
      exchange(server, "GET /files/%2e%2e/x?token=secret HTTP/1.1\r\n");
      EndedRequest invalid = next(Operation.DOWNLOAD);
      assertThat(invalid.error()).isEqualTo(ErrorKind.INVALID_PATH);
      assertThat(invalid.path()).isEqualTo("/files/%2e%2e/x");
      exchange(server, "GET /files/x?token=secret HTTP/1.1\r\nOrigin: http://evil.test\r\n");
      EndedRequest foreign = next(Operation.DOWNLOAD);
      assertThat(foreign.error()).isEqualTo(ErrorKind.PERMISSION_DENIED);
      assertThat(foreign.path()).isEqualTo("/files/x");
      exchange(server, "BREW /pot HTTP/1.1\r\n");
      assertThat(next(Operation.OTHER).error()).isNotNull();
    }
  }

  @Test
  void drain_overHttp1_closesConnectionsAndSaysWhenToComeBack() throws Exception {
    Files.writeString(root.resolve("f"), "hello");
    String request = "GET /files/f HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (ServerPort server = serve(Ways.HTTP);
        RawHttp raw = new RawHttp(server.port())) {
      raw.send(request);
      raw.readUntil("hello");
      server.drain();
      raw.send(request);
      assertThat(raw.readAll())
          .startsWith("HTTP/1.1 503 ")
          .containsIgnoringCase("\r\nretry-after: 5\r\n")
          .containsIgnoringCase("\r\nconnection: close\r\n")
          .contains("urn:ferry:error:unavailable");
    }
  }

  @Test
  void drain_ofTheGrpcPort_tellsConnectionsAtOnce() throws Exception {
    try (ServerPort server = serve(Ways.GRPC);
        RawHttp2 raw = RawHttp2.open(server.port())) {
      raw.awaitAcknowledgedSettings();
      server.drain();
      assertThat(raw.await(RawHttp2.GOAWAY).error()).isZero();
    }
  }

  @Test
  void drain_overHttp2_tellsAConnectionWhenItsLastStreamEnds() throws Exception {
    TestFiles.sparse(root.resolve("large"), LARGE);
    try (ServerPort server = serve(Ways.HTTP);
        RawHttp2 raw = RawHttp2.open(server.port())) {
      raw.request(1, true, "GET", "/files/large");
      raw.await(RawHttp2.HEADERS);
      server.drain();
      // Two rounds, as the server may read the first request before it handles the drain. A HEAD
      // has no body, for which the window of the connection has no room.
      for (int stream : new int[] {3, 5}) {
        raw.request(stream, true, "HEAD", "/files/large");
        RawHttp2.Frame frame = raw.next();
        while (frame.stream() != stream || !frame.endsStream()) {
          assertThat(frame.type()).isNotEqualTo(RawHttp2.GOAWAY);
          frame = raw.next();
        }
      }
      raw.resetStream(1);
      assertThat(raw.await(RawHttp2.GOAWAY).error()).isZero();
      assertThat(next(Operation.DOWNLOAD).error()).isIn(ErrorKind.UNAVAILABLE, ErrorKind.CANCELLED);
    }
  }

  @Test
  void healthOfGrpc_whileDraining_isNotServing() throws Exception {
    try (ServerPort server = serve(Ways.GRPC)) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
      try {
        var health = HealthGrpc.newBlockingStub(channel);
        HealthCheckRequest files =
            HealthCheckRequest.newBuilder().setService("ferry.v1.Files").build();
        assertThat(health.check(files).getStatus()).isEqualTo(ServingStatus.SERVING);
        server.drain();
        assertThat(health.check(files).getStatus()).isEqualTo(ServingStatus.NOT_SERVING);
        assertThat(server.awaitRequests(PATIENCE)).isTrue();
      } finally {
        channel.shutdownNow();
      }
    }
  }

  @Test
  void health_whileDraining_isNotServing() throws Exception {
    String head =
        "POST /grpc.health.v1.Health/Check HTTP/1.1\r\n"
            + "Content-Type: application/grpc-web+proto\r\nContent-Length: 5\r\n";
    try (ServerPort server = serve(Ways.WEB)) {
      assertThat(exchange(server, head)).contains("\b\1");
      server.drain();
      assertThat(exchange(server, head)).contains("\b\2");
    }
  }
}
