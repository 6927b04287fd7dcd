package dev.ferry.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.ferry.core.Background;
import dev.ferry.core.Compression;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.Outage;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.TcpProxy;
import dev.ferry.core.TestFiles;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.ForwardingSink;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.CallersFile;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.internal.TestCertificates;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What the entrance promises, over each protocol and with real servers. */
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
final class FerryClientTest {
  /** More than is kept of a stream. */
  private static final int LARGE = 9_000_000;

  /** Milliseconds, fewer than those for which idle threads are kept. */
  private static final int FEW_SECONDS = 6000;

  @TempDir Path root;
  @TempDir Path local;
  private FileStore store;

  @BeforeEach
  void openStore() throws Exception {
    store = LocalFileStore.open(root);
  }

  private FerryServer serve() throws FerryException {
    return serve("127.0.0.1", 0, 0);
  }

  private FerryServer serve(String host, int httpPort, int grpcPort) throws FerryException {
    return FerryServer.builder(store)
        .host(host)
        .httpPort(httpPort)
        .grpcPort(grpcPort)
        .patience(Duration.ZERO)
        .start();
  }

  private static FerryClient connect(FerryServer server, Protocol protocol) throws FerryException {
    return FerryClient.builder(server.address(protocol)).protocol(protocol).connect();
  }

  private static FerryClient connect(TcpProxy proxy, Protocol protocol) throws FerryException {
    return FerryClient.builder("ferry://" + proxy.address()).protocol(protocol).connect();
  }

  /** A stream that does not tell how long it is, and returns less than is asked for. */
  private static InputStream stream(byte[] bytes) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] into, int at, int length) {
        return super.read(into, at, Math.min(length, 10_007));
      }

      @Override
      public synchronized int available() {
        return 0;
      }
    };
  }

  private static void assertKind(ErrorKind kind, @Nullable Throwable failure) {
    assertThat(failure)
        .isInstanceOfSatisfying(
            FerryException.class, e -> assertThat(e.kind()).as(e.getMessage()).isEqualTo(kind));
  }

  /** A program may wait for all threads that it has, as Maven's {@code exec:java} does. */
  @ParameterizedTest
  @EnumSource
  void close_endsTheThreadsOfTheClient(Protocol protocol) throws Exception {
    ThreadGroup program = new ThreadGroup("program");
    try (FerryServer server = serve()) {
      FutureTask<Transfer> main =
          new FutureTask<>(
              () -> {
                try (FerryClient ferry = connect(server, protocol)) {
                  Transfer sent = ferry.upload("stream", stream(TestFiles.random(300_000, 2)));
                  // Over HTTP, all may be done on the thread of the caller.
                  assertThat(program.activeCount())
                      .isGreaterThan(protocol == Protocol.GRPC ? 1 : 0);
                  return sent;
                }
              });
      new Thread(program, main, "main").start();
      assertThat(main.get().facts().size()).isEqualTo(300_000);
    }
    Thread[] threads = new Thread[100];
    for (Thread thread : Arrays.asList(threads).subList(0, program.enumerate(threads))) {
      // Those of grpc-java are for all clients of a process.
      if (thread.getName().startsWith("ferry-")) {
        thread.join(FEW_SECONDS);
        assertThat(thread.isAlive()).as(thread.getName()).isFalse();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void uploadAndDownload_ofAllForms_moveTheSameBytes(Protocol protocol) throws Exception {
    byte[] bytes = TestFiles.random(700_000, 1);
    Path file = Files.write(local.resolve("file"), bytes);
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length + 2).put(1, bytes);
    buffer.position(1).limit(1 + bytes.length);
    try (FerryServer server = serve();
        FerryClient ferry = connect(server, protocol)) {
      Transfer sent = ferry.upload("path", file);
      ferry.upload("/buffer", buffer);
      ferry.upload("array", bytes);
      ferry.upload("stream", stream(bytes));
      ferry.upload("sized", stream(bytes), bytes.length);
      InputStream longer = stream(bytes);
      ferry.upload("first", longer, 300_000);
      ferry.upload("empty", stream(new byte[0]));

      assertThat(sent.facts().crc32c()).isNotNull();
      assertThat(buffer.remaining()).isEqualTo(bytes.length);
      for (String name : List.of("path", "buffer", "array", "stream", "sized")) {
        assertThat(Files.readAllBytes(root.resolve(name))).isEqualTo(bytes);
      }
      assertThat(Files.readAllBytes(root.resolve("first")))
          .isEqualTo(Arrays.copyOf(bytes, 300_000));
      assertThat(longer.readAllBytes()).isEqualTo(Arrays.copyOfRange(bytes, 300_000, bytes.length));
      assertThat(root.resolve("empty")).isEmptyFile();

      ferry.download("path", local.resolve("copy"));
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      Transfer received = ferry.download("path", out);
      ByteArrayOutputStream consumed = new ByteArrayOutputStream();
      ferry.download("path", part -> consumed.write(copy(part)));

      assertThat(Files.readAllBytes(local.resolve("copy"))).isEqualTo(bytes);
      assertThat(out.toByteArray()).isEqualTo(bytes);
      assertThat(consumed.toByteArray()).isEqualTo(bytes);
      assertThat(received.facts().size()).isEqualTo(bytes.length);
    }
  }

  private static byte[] copy(ByteBuffer part) {
    byte[] bytes = new byte[part.remaining()];
    part.get(bytes);
    return bytes;
  }

  @ParameterizedTest
  @CsvSource({"GRPC, CRC32C", "GRPC, SHA256", "HTTP, CRC32C", "HTTP, SHA256"})
  void upload_ofALongStream_isVerifiedAtItsEnd(Protocol protocol, Digest.Algorithm digest)
      throws Exception {
    byte[] bytes = TestFiles.random(LARGE, 2);
    AtomicLong done = new AtomicLong();
    AtomicLong total = new AtomicLong();
    TransferOptions options =
        TransferOptions.DEFAULT
            .withDigest(digest)
            .withCompression(Compression.GZIP)
            .withProgress(
                (now, all) -> {
                  done.set(now);
                  total.set(all);
                });
    try (FerryServer server = serve();
        FerryClient ferry = connect(server, protocol).with(options)) {
      Transfer sent = ferry.upload("a", stream(bytes));

      assertThat(sent.facts().digest(digest)).isEqualTo(digest.ofFile(root.resolve("a")));
      assertThat(sent.facts().size()).isEqualTo(LARGE);
      assertThat(done).hasValue(LARGE);
      assertThat(Files.readAllBytes(root.resolve("a"))).isEqualTo(bytes);
      assertThat(ferry.options()).isEqualTo(options);
    }
  }

  @ParameterizedTest
  @EnumSource
  void upload_ofAStreamThatEndsEarlyOrFails_leavesNothing(Protocol protocol) throws Exception {
    byte[] bytes = TestFiles.random(1_000_000, 3);
    InputStream failing =
        new InputStream() {
          private int read;

          @Override
          public int read() throws IOException {
            if (read == 500_000) {
              throw new IOException("the source broke");
            }
            return bytes[read++];
          }
        };
    try (FerryServer server = serve();
        FerryClient ferry = connect(server, protocol)) {
      assertThatThrownBy(() -> ferry.upload("a", stream(bytes), 1_000_001))
          .satisfies(e -> assertKind(ErrorKind.INCOMPLETE, e))
          .hasMessageContaining("ended after 1000000 of 1000001 bytes");
      assertThatThrownBy(() -> ferry.upload("a", failing))
          .isInstanceOf(FerryException.class)
          .hasMessageContaining("the source broke");
      assertThat(ferry.list("")).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void names_areListedMovedAndDeleted(Protocol protocol) throws Exception {
    TransferOptions parents = TransferOptions.DEFAULT.withMakeParents(true);
    try (FerryServer server = serve();
        FerryClient ferry = connect(server, protocol)) {
      ferry.with(parents).upload("a/b/c", new byte[3]);
      ferry.makeFolder("d");
      ferry.move("a/b/c", "d/e");

      assertThat(ferry.list("/d/")).extracting(FileFacts::name).containsExactly("d/e");
      assertThat(ferry.stat("d/e").size()).isEqualTo(3);
      ferry.delete("d/e");
      assertThat(ferry.list("d")).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void failures_haveTheirKind(Protocol protocol) throws Exception {
    Path target = local.resolve("copy");
    try (FerryServer server = serve();
        FerryClient ferry = connect(server, protocol)) {
      ferry.upload("there", new byte[1]);
      FerryClient creating = ferry.with(TransferOptions.DEFAULT.withCreateOnly(true));

      assertThatThrownBy(() -> ferry.download("missing", target))
          .satisfies(e -> assertKind(ErrorKind.NOT_FOUND, e));
      assertThatThrownBy(() -> ferry.download("missing", new ByteArrayOutputStream()))
          .satisfies(e -> assertKind(ErrorKind.NOT_FOUND, e));
      assertThatThrownBy(() -> ferry.stat("missing"))
          .satisfies(e -> assertKind(ErrorKind.NOT_FOUND, e));
      assertThatThrownBy(() -> creating.upload("there", new byte[2]))
          .satisfies(e -> assertKind(ErrorKind.ALREADY_EXISTS, e));
      assertThatThrownBy(() -> ferry.upload("../up", new byte[2]))
          .satisfies(e -> assertKind(ErrorKind.INVALID_PATH, e));
      assertThatThrownBy(
              () ->
                  ferry.download(
                      "there",
                      part -> {
                        throw new IOException("the target broke");
                      }))
          .isInstanceOf(FerryException.class)
          .hasMessageContaining("the target broke");
      assertThatThrownBy(() -> ferry.async().download("missing", target).get())
          .isInstanceOf(ExecutionException.class)
          .satisfies(e -> assertKind(ErrorKind.NOT_FOUND, e.getCause()));
      assertThat(target).doesNotExist();
    }
  }

  @ParameterizedTest
  @EnumSource
  void token_wrongOrMissing_isUnauthenticated(Protocol protocol) throws Exception {
    Path users = local.resolve("users");
    String token = CallersFile.addToken(users, "ann", List.of("read:/", "write:/"));
    FerryServer.Builder builder =
        FerryServer.builder(store)
            .httpPort(0)
            .grpcPort(0)
            .tls(TestCertificates.server(TestCertificates.loopback()))
            .callers(CallersFile.open(users));
    ClientTls trust = TestCertificates.client();
    try (FerryServer server = builder.start()) {
      String address = server.address(protocol);
      FerryClient.Builder client = FerryClient.builder(address).protocol(protocol).tls(trust);
      assertThat(address).startsWith("ferrys://127.0.0.1:");
      try (FerryClient ferry = client.token(token).connect()) {
        ferry.upload("a", new byte[1]);
        assertThat(ferry.stat("a").size()).isEqualTo(1);
      }
      try (FerryClient wrong = client.token("ferry_wrong").connect()) {
        assertThatThrownBy(() -> wrong.upload("b", stream(new byte[300_000])))
            .satisfies(e -> assertKind(ErrorKind.UNAUTHENTICATED, e));
      }
      FerryClient.Builder without = FerryClient.builder(address).protocol(protocol).tls(trust);
      try (FerryClient none = without.connect()) {
        assertThatThrownBy(() -> none.list(""))
            .satisfies(e -> assertKind(ErrorKind.UNAUTHENTICATED, e));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ferry://host/file | names a file",
        "host:7070 | is not an address",
        "http://host/files/:7070 | names a file",
        "ftp://host | no scheme of an address",
        "ferry://a,a | is in the list twice"
      })
  void connect_withAWrongAddress_saysWhatIsWrong(String address, String message) {
    assertThatThrownBy(() -> FerryClient.connect(address))
        .satisfies(e -> assertKind(ErrorKind.INVALID_REQUEST, e))
        .hasMessageContaining(message)
        .message()
        .hasLineCount(1);
  }

  @Test
  void connect_withATokenInPlainText_isRefused() {
    assertThatThrownBy(() -> FerryClient.builder("ferry://example.org").token("t").connect())
        .satisfies(e -> assertKind(ErrorKind.INVALID_REQUEST, e));
  }

  /** The server is gone after the proxy has let some bytes pass, and another one has its files. */
  private FerryServer restart(TcpProxy proxy, FerryServer gone, Protocol protocol)
      throws Exception {
    proxy.awaitHeld();
    // It waits for the calls that the cut ends.
    Background<Boolean> closing =
        Background.start(
            () -> {
              gone.close();
              return true;
            });
    FerryServer back = serve();
    proxy.forwardTo(back.port(protocol));
    proxy.cut();
    assertThat(closing.result()).isTrue();
    return back;
  }

  @ParameterizedTest
  @EnumSource
  void transfers_whoseServerGoesAwayAndComesBack_goOn(Protocol protocol) throws Exception {
    byte[] bytes = TestFiles.random(LARGE, 4);
    byte[] shorter = Arrays.copyOf(bytes, 3_000_000);
    Path file = Files.write(local.resolve("file"), bytes);
    Path copy = local.resolve("copy");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FerryServer server = serve();
    try (TcpProxy proxy = new TcpProxy(server.port(protocol));
        FerryClient ferry = connect(proxy, protocol)) {
      List<Retries.Call<Transfer>> calls =
          List.of(
              () -> ferry.upload("a", file),
              () -> ferry.upload("stream", stream(shorter)),
              () -> ferry.upload("bytes", shorter),
              () -> ferry.download("a", copy),
              () -> ferry.download("a", out));
      for (Retries.Call<Transfer> call : calls) {
        proxy.holdAfter(1_500_000);
        Background<Transfer> running = Background.start(call::run);
        server = restart(proxy, server, protocol);
        assertThat(running.result().facts().size()).isIn((long) LARGE, 3_000_000L);
      }

      assertThat(Files.readAllBytes(root.resolve("a"))).isEqualTo(bytes);
      assertThat(Files.readAllBytes(root.resolve("stream"))).isEqualTo(shorter);
      assertThat(Files.readAllBytes(root.resolve("bytes"))).isEqualTo(shorter);
      assertThat(Files.readAllBytes(copy)).isEqualTo(bytes);
      assertThat(out.toByteArray()).isEqualTo(bytes);
    } finally {
      server.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void upload_ofALongStreamWhoseServerGoesAway_saysWhyItEnds(Protocol protocol) throws Exception {
    FerryServer server = serve();
    try (TcpProxy proxy = new TcpProxy(server.port(protocol));
        FerryClient ferry = connect(proxy, protocol)) {
      proxy.holdAfter(20_000_000);
      Background<Transfer> running =
          Background.start(() -> ferry.upload("a", stream(TestFiles.random(4 * LARGE, 5))));
      server = restart(proxy, server, protocol);

      assertThat(running.failure()).hasMessageContaining("a stream of this length is not sent");
    } finally {
      server.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void transfers_thatAreInterruptedCancelledOrClosed_end(Protocol protocol) throws Exception {
    Files.write(root.resolve("large"), new byte[LARGE]);
    try (FerryServer server = serve();
        TcpProxy proxy = new TcpProxy(server.port(protocol))) {
      FerryClient ferry = connect(proxy, protocol);
      Path copy = local.resolve("copy");

      proxy.holdAfter(1_000_000);
      Background<Transfer> interrupted = Background.start(() -> ferry.download("large", copy));
      proxy.awaitHeld();
      interrupted.interrupt();
      assertKind(ErrorKind.CANCELLED, interrupted.failure());
      assertThat(copy).doesNotExist();

      CountDownLatch waiting = new CountDownLatch(1);
      CountDownLatch ended = new CountDownLatch(1);
      CompletableFuture<Transfer> future =
          connect(server, protocol)
              .async()
              .download(
                  "large",
                  part -> {
                    waiting.countDown();
                    try {
                      Thread.sleep(60_000);
                    } catch (InterruptedException e) {
                      ended.countDown();
                      throw new IOException("interrupted", e);
                    }
                  });
      assertThat(waiting.await(1, TimeUnit.MINUTES)).isTrue();
      assertThat(future.cancel(true)).isTrue();
      assertThat(future).isCancelled();
      assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();

      PipedOutputStream source = new PipedOutputStream();
      PipedInputStream endless = new PipedInputStream(source, 1 << 20);
      source.write(new byte[600_000]);
      Background<Transfer> closed = Background.start(() -> ferry.upload("new", endless));
      while (endless.available() > 0) {
        Thread.sleep(5);
      }
      ferry.close();
      if (protocol == Protocol.HTTP) {
        // Here the thread of the call waits for the stream.
        source.close();
      }
      assertKind(ErrorKind.CANCELLED, closed.failure());
      source.close();
      assertThatThrownBy(() -> ferry.list(""))
          .satisfies(e -> assertKind(ErrorKind.CANCELLED, e))
          .hasMessageContaining("is closed");
      assertThatThrownBy(() -> ferry.async().upload("new", new byte[1]).get())
          .satisfies(e -> assertKind(ErrorKind.CANCELLED, e.getCause()));
      assertThat(root.resolve("new")).doesNotExist();
    }
  }

  @ParameterizedTest
  @EnumSource
  void close_whileAStreamSwallowsInterrupts_completesTheFuture(Protocol protocol) throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    InputStream deaf =
        new InputStream() {
          @Override
          public int read() {
            reading.countDown();
            while (ended.getCount() > 0) {
              try {
                ended.await();
              } catch (InterruptedException e) {
                // As many streams do.
              }
            }
            return -1;
          }
        };
    try (FerryServer server = serve()) {
      FerryClient ferry = connect(server, protocol);
      CompletableFuture<Transfer> future = ferry.async().upload("new", deaf);
      assertThat(reading.await(1, TimeUnit.MINUTES)).isTrue();

      ferry.close();

      assertThat(future).isCompletedExceptionally();
      assertThatThrownBy(future::get).satisfies(e -> assertKind(ErrorKind.CANCELLED, e.getCause()));
    } finally {
      ended.countDown();
    }
    assertThat(root.resolve("new")).doesNotExist();
  }

  @ParameterizedTest
  @EnumSource
  void server_thatCloses_waitsForRequestsThatRun(Protocol protocol) throws Exception {
    byte[] bytes = TestFiles.random(LARGE, 6);
    Files.write(root.resolve("large"), bytes);
    FerryServer server = FerryServer.builder(store).httpPort(0).grpcPort(0).start();
    try (FerryClient ferry = connect(server, protocol)) {
      // Then the server knows the digest, which no other request has to ask for.
      ferry.download("large", local.resolve("first"));
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch goOn = new CountDownLatch(1);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      CompletableFuture<Transfer> running =
          ferry
              .async()
              .download(
                  "large",
                  part -> {
                    begun.countDown();
                    awaitQuietly(goOn);
                    out.write(copy(part));
                  });
      begun.await();
      Background<Boolean> closing =
          Background.start(
              () -> {
                server.close();
                return true;
              });
      goOn.countDown();

      assertThat(running.get(1, TimeUnit.MINUTES).facts().size()).isEqualTo(LARGE);
      assertThat(closing.result()).isTrue();
      assertThat(out.toByteArray()).isEqualTo(bytes);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Another attempt would go on after the bytes that were refused. */
  @ParameterizedTest
  @EnumSource
  void download_whoseConsumerFails_isNotRepeated(Protocol protocol) throws Exception {
    Files.write(root.resolve("f"), TestFiles.random(LARGE, 1));
    FerryException lost =
        new FerryException(ErrorKind.UNAVAILABLE, Outage.LOST, "another server is gone", null);
    AtomicInteger taken = new AtomicInteger();
    try (FerryServer server = serve();
        FerryClient ferry = connect(server, protocol)) {
      assertThatThrownBy(
              () ->
                  ferry.download(
                      "f",
                      part -> {
                        taken.incrementAndGet();
                        throw lost;
                      }))
          .isInstanceOf(FerryException.class)
          .hasMessageContaining("another server is gone");
      assertThat(taken).hasValue(1);
    }
  }

  @Test
  void server_withoutAPort_isRefused() {
    assertThatThrownBy(() -> FerryServer.builder(store).withoutGrpc().withoutHttp().start())
        .satisfies(e -> assertKind(ErrorKind.INVALID_REQUEST, e));
  }

  /** grpc-java logs a stack trace for each connection that it cannot read. */
  @ParameterizedTest
  @EnumSource
  void calls_toAPortOfAnotherProtocol_failAtOnceAndQuietly(Protocol protocol) throws Exception {
    Protocol other = protocol == Protocol.HTTP ? Protocol.GRPC : Protocol.HTTP;
    String otherPort =
        other == Protocol.HTTP ? "is an HTTP port; use HTTP" : "is a gRPC port; use gRPC";
    List<LogRecord> logged = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            logged.add(entry);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger transports = Logger.getLogger("io.grpc.netty.NettyServerTransport");
    transports.addHandler(handler);
    try (FerryServer plain = serve();
        FerryServer secure =
            FerryServer.builder(store)
                .tls(TestCertificates.server(TestCertificates.loopback()))
                .httpPort(0)
                .grpcPort(0)
                .patience(Duration.ZERO)
                .start()) {
      assertFailsAtOnce(plain.port(other), protocol, null, otherPort);
      assertFailsAtOnce(secure.port(protocol), protocol, null, "speaks TLS; use ferrys://");
      assertFailsAtOnce(secure.port(other), protocol, null, "speaks TLS; use ferrys://");
      ClientTls tls = TestCertificates.client();
      assertFailsAtOnce(plain.port(protocol), protocol, tls, "does not speak TLS");
      assertFailsAtOnce(plain.port(other), protocol, tls, "does not speak TLS");
      assertFailsAtOnce(secure.port(other), protocol, tls, otherPort);
    } finally {
      transports.removeHandler(handler);
    }
    assertThat(logged).isEmpty();
  }

  private static void assertFailsAtOnce(
      int port, Protocol protocol, @Nullable ClientTls tls, String how) throws Exception {
    FerryClient.Builder builder =
        FerryClient.builder("ferry://127.0.0.1:" + port)
            .protocol(protocol)
            .retries(
                Retries.of(5, Duration.ZERO)
                    .withListener(
                        (failure, delay) -> {
                          throw new AssertionError("repeated", failure);
                        }));
    if (tls != null) {
      builder.tls(tls);
    }
    try (FerryClient ferry = builder.connect()) {
      assertThatThrownBy(() -> ferry.list(""))
          .hasMessageContaining("127.0.0.1:" + port + " " + how);
      // A larger one may lose the response to a reset while it is sent.
      assertThatThrownBy(() -> ferry.upload("new", new byte[1]))
          .hasMessageContaining("127.0.0.1:" + port + " " + how);
    }
  }

  @ParameterizedTest
  @EnumSource
  void files_ofOtherFileSystems_areSentAndReceived(Protocol protocol) throws Exception {
    byte[] bytes = TestFiles.random(300_000, 3);
    Path zip = local.resolve("a.zip");
    Path compiled = Path.of(URI.create("jrt:/java.base/module-info.class"));
    try (FerryServer server = serve();
        FerryClient ferry = connect(server, protocol);
        FileSystem archive = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      ferry.upload("f", Files.write(archive.getPath("/in"), bytes));
      assertThat(root.resolve("f")).binaryContent().isEqualTo(bytes);
      ferry.upload("class", compiled);
      assertThat(root.resolve("class")).binaryContent().isEqualTo(Files.readAllBytes(compiled));

      Path out = archive.getPath("/out");
      Files.write(out, new byte[1]);
      FileFacts facts = ferry.download("f", out).facts();
      assertThat(facts.name()).isEqualTo("out");
      assertThat(facts.size()).isEqualTo(bytes.length);
      assertThat(facts.crc32c()).isEqualTo(Digest.Algorithm.CRC32C.ofFile(root.resolve("f")));
      FerryClient careful = ferry.with(ferry.options().withCreateOnly(true).withMakeParents(true));
      careful.download("f", archive.getPath("/new/folder/f"));

      assertKind(ErrorKind.ALREADY_EXISTS, catchThrowable(() -> careful.download("f", out)));
      assertKind(
          ErrorKind.NOT_FOUND,
          catchThrowable(() -> ferry.download("f", archive.getPath("/missing/f"))));
      assertKind(
          ErrorKind.NOT_FOUND,
          catchThrowable(() -> careful.download("missing", archive.getPath("/none/f"))));
      assertKind(
          ErrorKind.ALREADY_EXISTS,
          catchThrowable(() -> ferry.download("f", archive.getPath("/new"))));
      assertKind(ErrorKind.PERMISSION_DENIED, catchThrowable(() -> ferry.download("f", compiled)));
    }
    try (FileSystem archive = FileSystems.newFileSystem(zip);
        Stream<Path> all = Files.walk(archive.getPath("/"))) {
      // The JDK shows some folders of archives with a slash at their end.
      assertThat(all.map(path -> path.toString().replaceFirst("(?<=.)/$", "")))
          .containsExactlyInAnyOrder("/", "/in", "/out", "/new", "/new/folder", "/new/folder/f");
      assertThat(Files.readAllBytes(archive.getPath("/out"))).isEqualTo(bytes);
      assertThat(Files.readAllBytes(archive.getPath("/new/folder/f"))).isEqualTo(bytes);
    }
  }

  @Test
  void client_ofSeveralServers_usesTheOneThatRuns() throws Exception {
    try (FerryServer one = serve();
        FerryServer two = serve();
        FerryClient ferry =
            FerryClient.connect(
                one.address(Protocol.HTTP) + "," + two.address(Protocol.HTTP).substring(8))) {
      for (int i = 0; i < 4; i++) {
        ferry.upload("a" + i, stream(new byte[LARGE / 9]));
      }
      one.close();
      for (int i = 0; i < 4; i++) {
        assertThat(ferry.stat("a" + i).size()).isEqualTo(LARGE / 9);
      }
    }
  }

  /** A consumer that waits for an interrupt. */
  private static final class Waiting implements FerryClient.BufferConsumer {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);

    @Override
    public void accept(ByteBuffer bytes) throws IOException {
      begun.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        interrupted.countDown();
        throw new IOException("interrupted", e);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void download_interruptedWhileItsConsumerWaits_isCancelled(Protocol protocol) throws Exception {
    Files.write(root.resolve("f"), new byte[LARGE]);
    try (FerryServer server = serve();
        FerryClient ferry = connect(server, protocol)) {
      Waiting consumer = new Waiting();
      Background<Transfer> running = Background.start(() -> ferry.download("f", consumer));
      consumer.begun.await();
      running.interrupt();

      assertKind(ErrorKind.CANCELLED, running.failure());
      assertThat(consumer.interrupted.getCount()).isZero();
      // The thread that was interrupted serves the next call.
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ferry.download("f", out);
      assertThat(out.size()).isEqualTo(LARGE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void future_thatIsCompletedByOthers_endsItsTransfer(Protocol protocol) throws Exception {
    Files.write(root.resolve("f"), new byte[LARGE]);
    try (FerryServer server = serve();
        FerryClient ferry = connect(server, protocol)) {
      Waiting consumer = new Waiting();
      CompletableFuture<Transfer> future = ferry.async().download("f", consumer);
      consumer.begun.await();
      future.orTimeout(1, TimeUnit.MILLISECONDS);

      assertThat(consumer.interrupted.await(1, TimeUnit.MINUTES)).isTrue();
      assertThatThrownBy(future::get).hasCauseInstanceOf(TimeoutException.class);
    }
  }

  private static void awaitSurely(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void futures_ofManyStreams_runSomeAtOnceAndAllEnd(Protocol protocol) throws Exception {
    int all = 400;
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger ended = new AtomicInteger();
    CountDownLatch go = new CountDownLatch(1);
    List<CompletableFuture<Transfer>> futures = new ArrayList<>();
    try (FerryServer server = serve();
        FerryClient ferry = connect(server, protocol)) {
      for (int i = 0; i < all; i++) {
        int number = i;
        InputStream stream =
            new ByteArrayInputStream(new byte[10]) {
              @Override
              public synchronized int read(byte[] into, int at, int length) {
                if (pos == 0) {
                  begun.incrementAndGet();
                  awaitSurely(go);
                  // What runs now has room until it ends.
                  assertThat(begun.get() - ended.get()).isLessThanOrEqualTo(128);
                  if (number % 10 == 0) {
                    throw new OutOfMemoryError("of the test");
                  }
                }
                return super.read(into, at, length);
              }
            };
        futures.add(ferry.async().upload("f" + i, stream));
        futures.get(i).whenComplete((transfer, failure) -> ended.incrementAndGet());
      }
      while (begun.get() < 128) {
        Thread.sleep(5);
      }
      assertThat(begun).hasValue(128);
      go.countDown();
      for (int i = 0; i < all; i++) {
        CompletableFuture<Transfer> future = futures.get(i);
        if (i % 10 == 0) {
          assertThatThrownBy(() -> future.get(1, TimeUnit.MINUTES))
              .hasCauseInstanceOf(OutOfMemoryError.class);
        } else {
          assertThat(future.get(1, TimeUnit.MINUTES).facts().size()).isEqualTo(10);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void future_ofAStreamThatThrowsAnErrorOnItsWay_fails(Protocol protocol) throws Exception {
    InputStream stream =
        new FilterInputStream(stream(new byte[LARGE])) {
          private int left = 600_000;

          @Override
          public int read(byte[] into, int at, int length) throws IOException {
            int n = super.read(into, at, length);
            left -= n;
            if (left < 0) {
              throw new OutOfMemoryError("of the test");
            }
            return n;
          }
        };
    try (FerryServer server = serve();
        FerryClient ferry = connect(server, protocol)) {
      CompletableFuture<Transfer> future = ferry.async().upload("f", stream);
      assertThatThrownBy(() -> future.get(1, TimeUnit.MINUTES))
          .isInstanceOf(ExecutionException.class);
      assertThat(root.resolve("f")).doesNotExist();
    }
  }

  @Test
  void future_thatNoThreadRuns_fails() throws Exception {
    try (FerryServer server = serve()) {
      FerryClient.Builder builder = FerryClient.builder(server.address(Protocol.HTTP));
      try (FerryClient full =
          builder
              .executor(
                  task -> {
                    throw new RejectedExecutionException("full");
                  })
              .connect()) {
        assertThatThrownBy(() -> full.async().upload("a", new byte[1]).get())
            .satisfies(e -> assertKind(ErrorKind.INTERNAL, e.getCause()));
      }
      CompletableFuture<Transfer> waiting;
      try (FerryClient lazy = builder.executor(task -> {}).connect()) {
        waiting = lazy.async().upload("a", new byte[1]);
      }
      assertThatThrownBy(waiting::get)
          .satisfies(e -> assertKind(ErrorKind.CANCELLED, e.getCause()));
    }
  }

  /** Another attempt would go on after the bytes that were refused, and succeed. */
  @ParameterizedTest
  @EnumSource
  void download_whoseConsumerThrowsAnError_isNotRepeated(Protocol protocol) throws Exception {
    Files.write(root.resolve("f"), TestFiles.random(LARGE, 1));
    AtomicInteger taken = new AtomicInteger();
    AssertionError wrong = new AssertionError("a wrong byte");
    try (FerryServer server = serve();
        FerryClient ferry = connect(server, protocol)) {
      Throwable failure =
          catchThrowable(
              () ->
                  ferry.download(
                      "f",
                      part -> {
                        if (taken.incrementAndGet() == 2) {
                          throw wrong;
                        }
                      }));

      assertThat(failure == wrong ? failure : failure.getCause()).isSameAs(wrong);
      assertThat(taken).hasValue(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void transfers_whoseCallbacksThrow_areInternalFailuresAndNotRepeated(Protocol protocol)
      throws Exception {
    Files.write(root.resolve("small"), new byte[10]);
    Files.write(root.resolve("f"), new byte[LARGE]);
    AtomicInteger repeated = new AtomicInteger();
    RuntimeException broken = new IllegalStateException("broken");
    InputStream stream =
        new InputStream() {
          private int left = 600_000;

          @Override
          public int read() {
            if (left-- == 0) {
              throw broken;
            }
            return 1;
          }
        };
    TransferOptions options =
        TransferOptions.DEFAULT.withProgress(
            (done, all) -> {
              if (done > 0) {
                throw broken;
              }
            });
    try (FerryServer server = serve();
        FerryClient ferry =
            FerryClient.builder(server.address(protocol))
                .protocol(protocol)
                .retries(
                    Retries.of(5, Duration.ZERO)
                        .withListener((failure, delay) -> repeated.incrementAndGet()))
                .connect()) {
      FerryClient reporting = ferry.with(options);
      FerryClient.BufferConsumer consumer =
          part -> {
            throw broken;
          };
      List<Retries.Call<Transfer>> calls =
          List.of(
              () -> ferry.upload("a", stream),
              () -> ferry.download("small", consumer),
              () -> ferry.download("f", consumer),
              () -> reporting.upload("a", new byte[LARGE]),
              () -> reporting.upload("a", root.resolve("f")),
              () -> reporting.download("f", local.resolve("f")),
              () -> reporting.download("f", OutputStream.nullOutputStream()));
      for (Retries.Call<Transfer> call : calls) {
        assertThatThrownBy(call::run)
            .satisfies(e -> assertKind(ErrorKind.INTERNAL, e))
            .hasRootCause(broken);
      }
      assertThat(repeated).hasValue(0);
      assertThat(root.resolve("a")).doesNotExist();
      assertThat(local.resolve("f")).doesNotExist();
    }
  }

  @ParameterizedTest
  @EnumSource
  void upload_interruptedWhileItsPipeIsEmpty_isCancelled(Protocol protocol) throws Exception {
    try (FerryServer server = serve();
        FerryClient ferry = connect(server, protocol);
        PipedOutputStream source = new PipedOutputStream();
        PipedInputStream empty = new PipedInputStream(source)) {
      CountDownLatch reading = new CountDownLatch(1);
      InputStream waiting =
          new FilterInputStream(empty) {
            @Override
            public int read(byte[] into, int at, int length) throws IOException {
              reading.countDown();
              return super.read(into, at, length);
            }
          };
      Background<Boolean> upload =
          Background.start(
              () -> {
                assertThatThrownBy(() -> ferry.upload("a", waiting))
                    .satisfies(e -> assertKind(ErrorKind.CANCELLED, e));
                return Thread.interrupted();
              });
      reading.await();
      upload.interrupt();

      assertThat(upload.result()).isTrue();
    }
  }

  @Test
  void upload_createOnlyOfAStreamThatWaits_saysThatAnotherFileIsThere() throws Exception {
    CountDownLatch waits = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    InputStream stream =
        new InputStream() {
          private int left = 1_000_000;

          @Override
          public int read() throws IOException {
            if (left == 0) {
              waits.countDown();
              awaitQuietly(goOn);
              return -1;
            }
            left--;
            return 1;
          }
        };
    try (FerryServer server = serve();
        TcpProxy proxy = new TcpProxy(server.port(Protocol.GRPC));
        FerryClient ferry = connect(proxy, Protocol.GRPC)) {
      FerryClient creating = ferry.with(TransferOptions.DEFAULT.withCreateOnly(true));
      Background<Transfer> upload = Background.start(() -> creating.upload("a", stream));
      waits.await();
      Files.write(root.resolve("a"), new byte[3]);
      proxy.cut();

      assertKind(ErrorKind.ALREADY_EXISTS, upload.failure());
    } finally {
      goOn.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource
  void changes_thatNoServerHasBegun_areRepeated(Protocol protocol) throws Exception {
    Files.createDirectory(root.resolve("d"));
    // No other test listens here, so the ports stay free.
    String host = "127.0.0.7";
    FerryServer gone = serve(host, 0, 0);
    int http = gone.port(Protocol.HTTP);
    int grpc = gone.port(Protocol.GRPC);
    AtomicReference<FerryServer> back = new AtomicReference<>();
    try (FerryClient ferry =
        FerryClient.builder(gone.address(protocol))
            .protocol(protocol)
            .retries(
                Retries.of(5, Duration.ZERO)
                    .withListener(
                        (failure, delay) -> back.compareAndSet(null, serve(host, http, grpc))))
            .connect()) {
      gone.close();
      ferry.delete("d");
      assertThat(root.resolve("d")).doesNotExist();
    } finally {
      FerryServer begun = back.get();
      if (begun != null) {
        begun.close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void upload_ofANegativeLength_isOfAnyLengthOrRefused(Protocol protocol) throws Exception {
    try (FerryServer server = serve();
        FerryClient ferry = connect(server, protocol)) {
      ferry.upload("a", stream(new byte[5]), -1);
      assertThat(root.resolve("a")).hasSize(5);
      assertThatThrownBy(() -> ferry.upload("b", stream(new byte[5]), -2))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({"../evil", "/etc/evil", "d/deeper", "other"})
  void list_ofNamesOutsideOfTheFolder_isRefused(String name) throws Exception {
    store =
        new ForwardingStore(store) {
          @Override
          public Listing list(StorePath folder) {
            Iterator<FileFacts> entries =
                List.of(new FileFacts(name, 1, FileFacts.UNKNOWN_TIME, false, null)).iterator();
            return new Listing() {
              @Override
              public @Nullable FileFacts next() {
                return entries.hasNext() ? entries.next() : null;
              }

              @Override
              public void close() {}
            };
          }
        };
    Files.createDirectory(root.resolve("d"));
    try (FerryServer server = serve();
        FerryClient ferry = connect(server, Protocol.GRPC)) {
      String folder = name.equals("d/deeper") ? "" : "d";
      assertThatThrownBy(() -> ferry.list(folder))
          .satisfies(e -> assertKind(ErrorKind.INVALID_PATH, e));
    }
  }

  @Test
  void server_ofAPortThatIsNone_isRefused() {
    FerryServer.Builder builder = FerryServer.builder(store);
    assertThatThrownBy(() -> builder.httpPort(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.grpcPort(65_536)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void times_ofAnyLength_areTaken() throws Exception {
    Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
    TransferOptions options =
        TransferOptions.DEFAULT.withTimeout(forever).withStallTimeout(forever);
    try (FerryServer server =
        FerryServer.builder(store).httpPort(0).grpcPort(0).patience(forever).start()) {
      for (Protocol protocol : Protocol.values()) {
        try (FerryClient ferry =
            FerryClient.builder(server.address(protocol))
                .protocol(protocol)
                .options(options)
                .connect()) {
          ferry.upload("a", new byte[5]);
          ferry.download("a", local.resolve("a"));
        }
      }
    }
    assertThat(local.resolve("a")).hasSize(5);
  }

  @ParameterizedTest
  @EnumSource
  void upload_ofALongStreamThatIsRefusedOnItsWay_saysWhy(Protocol protocol) throws Exception {
    store =
        new ForwardingStore(store) {
          @Override
          public FileSink create(StorePath path, CreateOptions options) throws FerryException {
            return new ForwardingSink(super.create(path, options)) {
              @Override
              public void write(ByteBuffer source) throws FerryException {
                requireRoom();
                super.write(source);
              }

              @Override
              public void write(ByteBuffer[] sources, int offset, int count) throws FerryException {
                requireRoom();
                super.write(sources, offset, count);
              }

              private void requireRoom() throws FerryException {
                if (written() > 5_000_000) {
                  throw new FerryException(ErrorKind.OUT_OF_SPACE, "no space left");
                }
              }
            };
          }
        };
    try (FerryServer server = serve();
        FerryClient ferry = connect(server, protocol)) {
      InputStream stream = stream(TestFiles.random(4 * LARGE, 1));
      assertThatThrownBy(() -> ferry.upload("a", stream))
          .satisfies(e -> assertKind(ErrorKind.OUT_OF_SPACE, e))
          .hasMessage("no space left");
    }
  }
}
