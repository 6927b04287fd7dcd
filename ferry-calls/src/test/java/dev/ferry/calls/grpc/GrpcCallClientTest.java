package dev.ferry.calls.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ferry.calls.Backend;
import dev.ferry.calls.CallClient;
import dev.ferry.calls.CallContract;
import dev.ferry.calls.ConcurrencyLimiter;
import dev.ferry.calls.MemoryWatch;
import dev.ferry.calls.Row;
import dev.ferry.calls.Rows;
import dev.ferry.contract.Limits;
import dev.ferry.contract.v1.RowRequest;
import dev.ferry.contract.v1.RowsGrpc;
import dev.ferry.contract.v1.RowsRequest;
import dev.ferry.core.Background;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Round;
import dev.ferry.grpc.internal.transport.CallerLoop;
import dev.ferry.grpc.internal.transport.EventLoops;
import dev.ferry.grpc.internal.transport.Shutdown;
import dev.ferry.grpc.internal.transport.Transport;
import dev.ferry.net.ServerTls;
import dev.ferry.net.TlsProvider;
import dev.ferry.net.internal.RawHttp2;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall;
import io.grpc.ForwardingClientCallListener;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NegotiationType;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The call contract for our own gRPC client with our own server. */
final class GrpcCallClientTest extends CallContract {
  private static final int SECONDS = 60;
  private static final Transport.Lean LEAN = new Transport.Lean(1, PooledByteBufAllocator.DEFAULT);

  @Override
  protected Fixture open(Backend backend, ConcurrencyLimiter room) throws Exception {
    GrpcCallServer server = GrpcCallServer.start(backend, "127.0.0.1", 0, null, room);
    CallClient client = GrpcCallClient.connect("127.0.0.1", server.port());
    return new Fixture() {
      @Override
      public CallClient client() {
        return client;
      }

      @Override
      public SlowReader readSlowly(int rows) {
        return new SlowGrpcReader(server.port(), rows);
      }

      @Override
      public void killServer() {
        server.closeNow();
      }

      @Override
      public void close() {
        client.close();
        server.closeNow();
      }
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 699, 700, 701, 50_000})
  void eachRowAlone_ofACount_comesInOrder(int count) throws Exception {
    try (GrpcCallServer server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null);
        GrpcCallClient client = GrpcCallClient.connect("127.0.0.1", server.port())) {
      List<Row> got = new ArrayList<>();
      client.eachRowAlone(count, (number, name) -> got.add(new Row(number, name)));
      Rows rows = new Rows(Backend.SEED);
      assertThat(got).hasSize(count);
      for (int i = 0; i < count; i++) {
        assertThat(got.get(i)).isEqualTo(rows.at(i));
      }
    }
  }

  @Test
  void eachRowAlone_ofAllThereAre_keepsFewOfThem() throws Exception {
    try (GrpcCallServer server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null);
        GrpcCallClient client = GrpcCallClient.connect("127.0.0.1", server.port())) {
      // A message costs much while leaks are looked for; as objects these rows are 10 MB.
      MemoryWatch.assertFlat(client::eachRowAlone, 10_000, 140_000, 2 << 20);
    }
  }

  @Test
  void eachRowAlone_visitorThrows_releasesWhatWasOnItsWay() throws Exception {
    try (GrpcCallServer server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null);
        GrpcCallClient client = GrpcCallClient.connect("127.0.0.1", server.port())) {
      for (int i = 0; i < Round.times(5, 20); i++) {
        assertThatThrownBy(
                () ->
                    client.eachRowAlone(
                        1_000_000,
                        (number, name) -> {
                          throw new IllegalStateException("enough");
                        }))
            .hasMessage("enough");
      }
      assertThat(client.row(1)).isEqualTo(new Rows(Backend.SEED).at(1));
    }
  }

  @Test
  void eachRowAlone_fromAnotherServer_comesInOrder() throws Exception {
    // Among them messages without a byte, and one that no frame has whole.
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      rows.add(i % 7 == 0 ? new Row(0, "") : new Row(i, i == 777 ? "x".repeat(50_000) : "r" + i));
    }
    Server server = stockServer(rows);
    try (GrpcCallClient client = GrpcCallClient.connect("127.0.0.1", server.getPort())) {
      for (int i = 0; i < Round.times(2, 5); i++) {
        List<Row> got = new ArrayList<>();
        client.eachRowAlone(rows.size(), (number, name) -> got.add(new Row(number, name)));
        assertThat(got).isEqualTo(rows);
      }
    } finally {
      server.shutdownNow();
    }
  }

  private static Server stockServer(List<Row> rows) throws Exception {
    return NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
        .addService(
            new RowsGrpc.RowsImplBase() {
              @Override
              public void stream(
                  RowsRequest request, StreamObserver<dev.ferry.contract.v1.Row> out) {
                for (Row row : rows) {
                  out.onNext(
                      dev.ferry.contract.v1.Row.newBuilder()
                          .setNumber(row.number())
                          .setName(row.name())
                          .build());
                }
                out.onCompleted();
              }
            })
        .build()
        .start();
  }

  @Test
  void eachRowAlone_ofManyInAFrame_isGivenThemTogether() throws Exception {
    AtomicInteger messages = new AtomicInteger();
    try (GrpcCallServer server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null);
        CallerLoop loop = new CallerLoop("test-keeper");
        GrpcCallClient client =
            GrpcCallClient.of(
                "test",
                LEAN.connect("127.0.0.1", server.port(), loop)
                    .intercept(counting(messages))
                    .build(),
                loop)) {
      AtomicInteger rows = new AtomicInteger();
      client.eachRowAlone(10_000, (number, name) -> rows.incrementAndGet());
      assertThat(rows).hasValue(10_000);
      assertThat(messages.get()).isBetween(1, 1_000);
    }
  }

  private static ClientInterceptor counting(AtomicInteger messages) {
    return new ClientInterceptor() {
      @Override
      public <I, O> ClientCall<I, O> interceptCall(
          MethodDescriptor<I, O> method, CallOptions options, Channel next) {
        return new ForwardingClientCall.SimpleForwardingClientCall<>(
            next.newCall(method, options)) {
          @Override
          public void start(Listener<O> listener, Metadata headers) {
            super.start(
                new ForwardingClientCallListener.SimpleForwardingClientCallListener<>(listener) {
                  @Override
                  public void onMessage(O message) {
                    messages.incrementAndGet();
                    super.onMessage(message);
                  }
                },
                headers);
          }
        };
      }
    };
  }

  @Test
  void generatedCode_onALeanChannel_isGivenEachMessage() throws Exception {
    try (GrpcCallServer server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null);
        EventLoops loops = new EventLoops("test-client", 1)) {
      ManagedChannel channel = LEAN.connect("127.0.0.1", server.port(), loops).build();
      try {
        assertReadsRows(channel);
      } finally {
        Shutdown.now(channel);
      }
    }
  }

  @Test
  void eachRowAlone_besideGeneratedCodeOnTheSameConnection_isGivenItsOwn() throws Exception {
    try (GrpcCallServer server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null);
        EventLoops loops = new EventLoops("test-client", 1)) {
      ManagedChannel channel = LEAN.connect("127.0.0.1", server.port(), loops).build();
      try (GrpcCallClient client = GrpcCallClient.of("test", channel)) {
        List<Row> right = client.rows(50_000);
        CompletableFuture<Void> generated =
            CompletableFuture.runAsync(
                () -> {
                  for (int i = 0; i < Round.times(4, 20); i++) {
                    assertReadsRows(channel);
                  }
                });
        do {
          List<Row> got = new ArrayList<>();
          client.eachRowAlone(50_000, (number, name) -> got.add(new Row(number, name)));
          assertThat(got).isEqualTo(right);
        } while (!generated.isDone());
        generated.get(SECONDS, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void visitorThatIsSlow_callerInterrupted_isGivenNoMoreThanTheRowUnderWay() throws Exception {
    try (GrpcCallServer server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null);
        EventLoops loops = new EventLoops("test-client", 1);
        GrpcCallClient client = parked(server, loops)) {
      client.row(1);
      AtomicInteger given = new AtomicInteger();
      Thread caller = Thread.currentThread();
      assertThatThrownBy(
              () ->
                  client.eachRowAlone(
                      10_000,
                      (number, name) -> {
                        given.incrementAndGet();
                        caller.interrupt();
                        sleep();
                      }))
          .isInstanceOfSatisfying(
              FerryException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.CANCELLED));
      assertThat(Thread.interrupted()).isTrue();
      int then = given.get();
      sleep();
      assertThat(given).hasValue(then);
      assertThat(then).isLessThan(100);
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void eachRow_visitorThrowsAnError_isGivenIt() throws Exception {
    try (GrpcCallServer server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null);
        GrpcCallClient client = GrpcCallClient.connect("127.0.0.1", server.port())) {
      assertThatThrownBy(
              () ->
                  client.eachRow(
                      10,
                      (number, name) -> {
                        throw new AssertionError("not so");
                      }))
          .isInstanceOf(AssertionError.class)
          .hasMessage("not so");
    }
  }

  @Test
  void callWithinAResponse_isRefusedAndDoesNotHang() throws Exception {
    try (GrpcCallServer server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null);
        GrpcCallClient client = GrpcCallClient.connect("127.0.0.1", server.port())) {
      assertThatThrownBy(() -> client.eachRow(10, (number, name) -> row(client)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("make it later");
      assertThatThrownBy(() -> client.eachRow(10, (number, name) -> client.rowAsync(1).join()))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("make it later");
      // On this thread if the response was there already; it may wait.
      CompletableFuture<Row> outcome = client.rowAsync(1).thenApply(r -> row(client));
      assertThat(outcome.handle((row, failure) -> true).get(30, TimeUnit.SECONDS)).isTrue();
      assertThat(client.row(1)).isEqualTo(new Rows(Backend.SEED).at(1));
    }
  }

  private static Row row(GrpcCallClient client) {
    try {
      return client.row(0);
    } catch (FerryException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Test
  void callers_ofEveryKindAtOnce_eachGetTheirOwn() throws Exception {
    try (GrpcCallServer server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null);
        GrpcCallClient client = GrpcCallClient.connect("127.0.0.1", server.port())) {
      Rows rows = new Rows(Backend.SEED);
      ExecutorService pool = Executors.newCachedThreadPool();
      List<Future<?>> callers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        callers.add(
            pool.submit(
                () -> {
                  for (long j = 0; j < Round.times(500, 2_000); j++) {
                    assertThat(client.row(j)).isEqualTo(rows.at(j));
                  }
                  return null;
                }));
        callers.add(
            pool.submit(
                () -> {
                  for (long j = 0; j < Round.times(500, 2_000); j++) {
                    assertThat(client.rowAsync(j).get(SECONDS, TimeUnit.SECONDS))
                        .isEqualTo(rows.at(j));
                  }
                  return null;
                }));
        callers.add(
            pool.submit(
                () -> {
                  for (int j = 0; j < Round.times(12, 50); j++) {
                    AtomicLong count = new AtomicLong();
                    client.eachRow(2_000, (number, name) -> count.incrementAndGet());
                    assertThat(count).hasValue(2_000);
                  }
                  return null;
                }));
      }
      for (Future<?> caller : callers) {
        caller.get(SECONDS, TimeUnit.SECONDS);
      }
      pool.shutdown();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void caller_interruptedAgainAndAgain_isGivenNothingMoreThen(boolean turning) throws Exception {
    try (GrpcCallServer server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null);
        EventLoops loops = new EventLoops("test-client", 1);
        CallerLoop loop = new CallerLoop("test-keeper");
        GrpcCallClient client = turning ? turning(server, loop) : parked(server, loops)) {
      client.row(1);
      CompletableFuture<Integer> cancelled = new CompletableFuture<>();
      AtomicInteger late = new AtomicInteger();
      Thread caller =
          new Thread(
              () -> {
                int count = 0;
                // Fewer than the streams that a client may reset before it is shut out.
                for (int i = 0; i < 90; i++) {
                  AtomicBoolean returned = new AtomicBoolean();
                  try {
                    client.eachRow(
                        20_000, (number, name) -> late.addAndGet(returned.get() ? 1 : 0));
                  } catch (FerryException e) {
                    count += e.kind() == ErrorKind.CANCELLED && Thread.interrupted() ? 1 : -1_000;
                  }
                  returned.set(true);
                }
                cancelled.complete(count);
              });
      caller.start();
      while (caller.isAlive()) {
        caller.interrupt();
        Thread.sleep(1);
      }
      assertThat(cancelled.get()).isPositive();
      assertThat(late).hasValue(0);
      assertThat(client.row(1)).isEqualTo(new Rows(Backend.SEED).at(1));
    }
  }

  private static GrpcCallClient turning(GrpcCallServer server, CallerLoop loop) {
    return GrpcCallClient.of("test", LEAN.connect("127.0.0.1", server.port(), loop).build(), loop);
  }

  private static GrpcCallClient parked(GrpcCallServer server, EventLoops loops) {
    return GrpcCallClient.of("test", LEAN.connect("127.0.0.1", server.port(), loops).build());
  }

  @Test
  void clientsOnOneLoop_madeAndClosedInTurn_leaveItFree() throws Exception {
    try (GrpcCallServer server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null);
        CallerLoop loop = new CallerLoop("test-keeper")) {
      for (int i = 0; i < 100; i++) {
        try (GrpcCallClient client = turning(server, loop)) {
          assertThat(client.row(i)).isEqualTo(new Rows(Backend.SEED).at(i));
        }
        assertFree(loop);
      }
    }
  }

  /** Enters a loop as soon as its keeper, which may have thought that nobody comes, leaves it. */
  private static void assertFree(CallerLoop loop) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!loop.enter()) {
      assertThat(System.nanoTime()).as("the time to enter").isLessThan(end);
      loop.serve(true).end();
      Thread.sleep(1);
    }
    loop.leave();
  }

  @Test
  void clientAndLoopClosed_endWhatIsUnderWay() throws Exception {
    for (int i = 0; i < 20; i++) {
      try (GrpcCallServer server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null)) {
        CallerLoop loop = new CallerLoop("test-keeper");
        GrpcCallClient client = turning(server, loop);
        List<Future<?>> callers = new ArrayList<>();
        ExecutorService pool = Executors.newCachedThreadPool();
        for (int j = 0; j < 3; j++) {
          callers.add(
              pool.submit(
                  () -> {
                    while (true) {
                      client.row(1);
                    }
                  }));
        }
        Thread.sleep(i);
        client.close();
        loop.close();
        assertThat(loop.isTerminated()).isTrue();
        for (Future<?> caller : callers) {
          assertThatThrownBy(() -> caller.get(SECONDS, TimeUnit.SECONDS))
              .cause()
              .isInstanceOfSatisfying(
                  FerryException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE));
        }
        pool.shutdown();
      }
    }
  }

  @Test
  void callThatCannotStart_leavesTheLoopFree() throws Exception {
    try (GrpcCallServer server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null);
        CallerLoop loop = new CallerLoop("test-keeper")) {
      ClientInterceptor failing =
          new ClientInterceptor() {
            @Override
            public <I, O> ClientCall<I, O> interceptCall(
                MethodDescriptor<I, O> method, CallOptions options, Channel next) {
              return new ForwardingClientCall.SimpleForwardingClientCall<>(
                  next.newCall(method, options)) {
                @Override
                public void start(Listener<O> listener, Metadata headers) {
                  throw new IllegalArgumentException("not this one");
                }
              };
            }
          };
      ManagedChannel channel =
          LEAN.connect("127.0.0.1", server.port(), loop).intercept(failing).build();
      try (GrpcCallClient client = GrpcCallClient.of("test", channel, loop)) {
        CallerLoop.Served other = loop.serve(true);
        assertThatThrownBy(() -> client.row(1)).hasMessage("not this one");
        assertThatThrownBy(() -> client.rowAsync(1)).hasMessage("not this one");
        other.end();
        assertThatThrownBy(() -> client.row(1)).hasMessage("not this one");
        assertFree(loop);
      }
    }
  }

  @Test
  void client_closedByItsVisitor_endsTheCall() throws Exception {
    try (GrpcCallServer server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null)) {
      GrpcCallClient client = GrpcCallClient.connect("127.0.0.1", server.port());
      assertThatThrownBy(() -> client.eachRow(1_000_000, (number, name) -> client.close()))
          .isInstanceOfSatisfying(
              FerryException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE));
      assertThatThrownBy(() -> client.row(1))
          .isInstanceOfSatisfying(
              FerryException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE));
      client.close();
    }
  }

  @Test
  void pingsOfTheServer_betweenCalls_areAcknowledged() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        GrpcCallClient client = GrpcCallClient.connect("127.0.0.1", listener.getLocalPort())) {
      Background<Row> call = Background.start(() -> client.row(0));
      try (RawHttp2 server = new RawHttp2(listener.accept())) {
        assertThat(server.readHead() + server.readHead()).isEqualTo(RawHttp2.PREFACE);
        server.send(RawHttp2.SETTINGS, 0, 0, new byte[0]);
        for (byte i = 0; i < 5; i++) {
          respond(server, server.await(RawHttp2.HEADERS).stream());
          assertThat(call.result().name()).isEqualTo("n");
          byte[] ping = {0, 0, 0, 0, 0, 0, 0, i};
          server.send(RawHttp2.PING, 0, 0, ping);
          RawHttp2.Frame answer = server.await(RawHttp2.PING);
          assertThat(answer.flags()).isEqualTo(RawHttp2.ACK);
          assertThat(answer.payload()).isEqualTo(ping);
          call = Background.start(() -> client.row(0));
        }
        respond(server, server.await(RawHttp2.HEADERS).stream());
        assertThat(call.result().name()).isEqualTo("n");
      }
    }
  }

  /** Sends a row. */
  private static void respond(RawHttp2 server, int stream) throws IOException {
    byte[] row = dev.ferry.contract.v1.Row.newBuilder().setName("n").build().toByteArray();
    ByteBuffer message = ByteBuffer.allocate(5 + row.length).put((byte) 0).putInt(row.length);
    server.send(
        RawHttp2.HEADERS,
        RawHttp2.END_HEADERS,
        stream,
        RawHttp2.fields(":status", "200", "content-type", "application/grpc"));
    server.send(RawHttp2.DATA, 0, stream, message.put(row).array());
    server.send(
        RawHttp2.HEADERS,
        RawHttp2.END_HEADERS | RawHttp2.END_STREAM,
        stream,
        RawHttp2.fields("grpc-status", "0"));
  }

  @Test
  void callsWithoutTheirEnd_takeNoRoom() throws Exception {
    try (GrpcCallServer server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null);
        GrpcCallClient client = GrpcCallClient.connect("127.0.0.1", server.port())) {
      List<ManagedChannel> channels = new ArrayList<>();
      try {
        for (int i = 0; i < ConcurrencyLimiter.CALLS / Limits.MAX_CALLS_PER_CONNECTION; i++) {
          ManagedChannel channel =
              NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
          channels.add(channel);
          for (int j = 0; j < Limits.MAX_CALLS_PER_CONNECTION; j++) {
            ClientCall<RowRequest, dev.ferry.contract.v1.Row> call =
                channel.newCall(RowsGrpc.getSingleMethod(), CallOptions.DEFAULT);
            call.start(new ClientCall.Listener<>() {}, new Metadata());
            call.request(1);
          }
        }
        for (int i = 0; i < 100; i++) {
          assertThat(client.row(1)).isEqualTo(new Rows(Backend.SEED).at(1));
        }
      } finally {
        channels.forEach(ManagedChannel::shutdownNow);
      }
    }
  }

  @Test
  void stockClient_readsWhatLeavesAtOnce() throws Exception {
    try (GrpcCallServer server = GrpcCallServer.start(Backend.inMemory(), "127.0.0.1", 0, null)) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
      try {
        assertReadsRows(channel);
      } finally {
        channel.shutdownNow();
      }
    }
  }

  private static void assertReadsRows(ManagedChannel channel) {
    Iterator<dev.ferry.contract.v1.Row> got =
        RowsGrpc.newBlockingStub(channel).stream(RowsRequest.newBuilder().setCount(2_000).build());
    Rows rows = new Rows(Backend.SEED);
    for (int i = 0; i < 2_000; i++) {
      dev.ferry.contract.v1.Row row = got.next();
      assertThat(new Row(row.getNumber(), row.getName())).isEqualTo(rows.at(i));
    }
    assertThat(got.hasNext()).isFalse();
  }

  @Test
  void tls_servesEveryShape() throws Exception {
    X509Bundle certificate =
        new CertificateBuilder()
            .subject("CN=localhost")
            .addSanDnsName("localhost")
            .setIsCertificateAuthority(true)
            .buildSelfSigned();
    ServerTls serverTls =
        new ServerTls(
            certificate.getKeyPair().getPrivate(),
            certificate.getCertificatePathList(),
            TlsProvider.fastest());
    SslContext clientTls =
        GrpcSslContexts.forClient().trustManager(certificate.getCertificate()).build();
    try (GrpcCallServer server =
            GrpcCallServer.start(Backend.inMemory(), "localhost", 0, serverTls);
        GrpcCallClient client =
            GrpcCallClient.of(
                "localhost",
                NettyChannelBuilder.forAddress("localhost", server.port())
                    .sslContext(clientTls)
                    .build())) {
      List<Row> got = new ArrayList<>();
      client.eachRowAlone(5_000, (number, name) -> got.add(new Row(number, name)));
      assertThat(got).isEqualTo(client.rows(5_000));
    }
    AtomicInteger messages = new AtomicInteger();
    try (GrpcCallServer server =
            GrpcCallServer.start(Backend.inMemory(), "localhost", 0, serverTls);
        CallerLoop loop = new CallerLoop("test-keeper");
        GrpcCallClient client =
            GrpcCallClient.of(
                "localhost",
                LEAN.connect("localhost", server.port(), loop)
                    .negotiationType(NegotiationType.TLS)
                    .sslContext(clientTls)
                    .intercept(counting(messages))
                    .build(),
                loop)) {
      List<Row> got = new ArrayList<>();
      client.eachRowAlone(5_000, (number, name) -> got.add(new Row(number, name)));
      assertThat(messages.get()).isBetween(1, 500);
      assertThat(got).isEqualTo(client.rows(5_000));
    }
  }
}
