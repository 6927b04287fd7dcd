package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.local.Download;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.core.local.RememberedDownload;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Downloads that go on after the connection or the server was lost. */
@Timeout(300)
abstract class ResumeContract {
  /** More than sockets and windows hold. */
  static final long SIZE = 96_000_000;

  static final int SOME = 4_000_000;
  private static final int BYTES = Round.times(12_000_000, 24_000_000);

  /** Some clients drop what they have received, and not yet passed on, when a connection ends. */
  private static final int EACH = Round.times(5_000_000, 9_000_000);

  /** Transfers that fall silent go on over another connection long before a test times out. */
  static final TransferOptions OPTIONS =
      TransferOptions.DEFAULT.withStallTimeout(Duration.ofSeconds(15));

  /** How long a server that soon gives up waits for a byte that is due. */
  static final Duration SHORT_STALL = Duration.ofSeconds(2);

  private static final Duration LONG_STALL = Duration.ofMinutes(1);
  private static final int MOST = 3;

  @TempDir Path temporary;
  Path root = Path.of("");
  Path local = Path.of("");
  Server server;
  final List<FerryException> heard = new CopyOnWriteArrayList<>();

  /** A running server. */
  public interface Server extends AutoCloseable {
    int port();

    @Override
    void close();

    /** A server on a port, and what stops it. */
    static Server of(int port, Runnable stop) {
      return new Server() {
        @Override
        public int port() {
          return port;
        }

        @Override
        public void close() {
          stop.run();
        }
      };
    }
  }

  /**
   * Starts a server over a store.
   *
   * @param stall how long it waits for a byte that is due
   */
  protected abstract Server serve(FileStore store, Duration stall) throws Exception;

  final Server serve(FileStore store) throws Exception {
    return serve(store, LONG_STALL);
  }

  /** A client of a server on this machine. */
  protected abstract Carrier connect(String host, int port) throws Exception;

  @BeforeEach
  void start() throws Exception {
    root = Files.createDirectory(temporary.resolve("store"));
    local = Files.createDirectory(temporary.resolve("local"));
    TestFiles.sparse(root.resolve("big"), SIZE);
    TestFiles.sparse(local.resolve("source"), SIZE);
    server = serve(LocalFileStore.open(root));
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    server.close();
    TestFiles.awaitTree(local, "source");
    TestFiles.awaitTree(root, "big");
    TestFiles.awaitNothingOpen(temporary);
  }

  /** What a client does in place of a wait. */
  @FunctionalInterface
  interface Pause {
    void run() throws InterruptedException;
  }

  Retries retries(Pause pause) {
    return Retries.of(MOST, Duration.ZERO)
        .withListener((failure, delay) -> heard.add(failure))
        .withTiming(
            new Retries.Timing() {
              @Override
              public long nanoTime() {
                return 0;
              }

              @Override
              public void sleep(Duration time) throws InterruptedException {
                pause.run();
              }

              @Override
              public double random() {
                return 0.5;
              }
            });
  }

  private Transfer download(TcpProxy proxy, int streams, Pause pause) throws Exception {
    try (RememberedDownload none = memory(null)) {
      return download(proxy, streams, pause, none);
    }
  }

  private RememberedDownload memory(@Nullable Path folder) throws FerryException {
    return new RememberedDownload(folder, "server", StorePath.parse("file"), local.resolve("back"));
  }

  private Transfer download(TcpProxy proxy, int streams, Pause pause, RememberedDownload memory)
      throws Exception {
    try (Carrier first = connect("127.0.0.1", proxy.port())) {
      return Download.run(
          Carriers.of(first, () -> another(proxy.port())),
          streams,
          StorePath.parse("file"),
          local.resolve("back"),
          OPTIONS,
          retries(pause),
          memory);
    }
  }

  Carrier another(int port) {
    try {
      return connect("127.0.0.1", port);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private Path stored(long seed) throws Exception {
    return TestFiles.write(root.resolve("file"), TestFiles.incompressible(BYTES, seed));
  }

  private void assertArrived(Path file) throws Exception {
    Path back = local.resolve("back");
    assertThat(Files.mismatch(file, back)).isEqualTo(-1);
    Files.delete(back);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  @Execution(ExecutionMode.CONCURRENT)
  void download_connectionsLostAgainAndAgain_transfersAlmostNothingTwice(int streams)
      throws Exception {
    Path file = stored(1);
    try (TcpProxy proxy = new TcpProxy(server.port())) {
      download(proxy, streams, () -> {});
      assertThat(heard).isEmpty();
      assertArrived(file);
      long once = proxy.respondedBytes();

      proxy.cutEach(EACH);
      Transfer transfer = download(proxy, streams, () -> {});

      assertThat(transfer.facts().crc32c()).isEqualTo(Digest.Algorithm.CRC32C.ofFile(file));
      assertArrived(file);
      assertThat(heard).hasSizeGreaterThanOrEqualTo(streams == 1 ? BYTES / EACH : 1);
      assertThat(proxy.respondedBytes() - once).isLessThan(once + once / 100 + (4 << 20));
    }
    Files.delete(file);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  @Execution(ExecutionMode.CONCURRENT)
  void download_serverStartedAgain_goesOn(int streams) throws Exception {
    Path file = stored(1);
    CountDownLatch started = new CountDownLatch(1);
    try (TcpProxy proxy = new TcpProxy(server.port())) {
      proxy.holdAfter(SOME);
      Background<Transfer> download =
          Background.start(() -> download(proxy, streams, started::await));
      proxy.awaitHeld();
      startAgain(proxy);
      started.countDown();
      download.result();
      assertThat(heard).isNotEmpty();
      assertArrived(file);
    }
    Files.delete(file);
  }

  /** Waits until a server that soon gives up has done so with a transfer that is held up. */
  void awaitStall(TcpProxy proxy) throws Exception {
    proxy.awaitHeld();
    TestFiles.awaitNothingOpen(root);
    proxy.release();
  }

  void serveImpatiently() throws Exception {
    server.close();
    server = serve(LocalFileStore.open(root), SHORT_STALL);
  }

  /** Those of a client that was asleep, and is told so, or finds its connection gone. */
  void assertOnlyStallsWereHeard() {
    assertThat(heard)
        .as("%s", heard)
        .isNotEmpty()
        .extracting(FerryException::outage)
        .isSubsetOf(Outage.STALLED, Outage.LOST);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void download_clientAsleepForTooLong_goesOn() throws Exception {
    Path file = stored(1);
    serveImpatiently();
    try (TcpProxy proxy = new TcpProxy(server.port())) {
      proxy.holdAfter(SOME);
      Background<Transfer> download = Background.start(() -> download(proxy, 1, () -> {}));
      awaitStall(proxy);
      download.result();
      assertOnlyStallsWereHeard();
      assertArrived(file);
    }
    Files.delete(file);
  }

  /** Leaves a download to a later process, which cannot reach the server. */
  private Path begun(Path memories) throws Exception {
    try (TcpProxy proxy = new TcpProxy(server.port());
        RememberedDownload memory = memory(memories)) {
      proxy.holdAfter(EACH);
      Background<Transfer> download = Background.start(() -> download(proxy, 1, () -> {}, memory));
      proxy.awaitHeld();
      while (kept() == null || Files.size(Objects.requireNonNull(kept())) < SOME / 4) {
        Thread.sleep(1);
      }
      proxy.close();
      // How it fails does not matter here. It must leave the download to a later process.
      FerryException unused = download.failure();
    }
    heard.clear();
    TestFiles.awaitNothingOpen(temporary);
    return Objects.requireNonNull(kept());
  }

  /** Returns the bytes of the file that is being received, complete or not. */
  private long arrived() {
    File[] files = Objects.requireNonNull(local.toFile().listFiles());
    return Stream.of(files).mapToLong(File::length).sum();
  }

  private @Nullable Path kept() throws Exception {
    try (Stream<Path> files = Files.list(local)) {
      return files.filter(file -> file.toString().endsWith(".kept")).findFirst().orElse(null);
    }
  }

  @Test
  void download_ofAnEarlierProcess_requestsTheRestAlone() throws Exception {
    Path file = stored(1);
    Path memories = temporary.resolve("memory");
    long once;
    try (TcpProxy proxy = new TcpProxy(server.port())) {
      download(proxy, 1, () -> {});
      assertArrived(file);
      once = proxy.respondedBytes();
    }
    long arrived = Files.size(begun(memories));
    try (TcpProxy proxy = new TcpProxy(server.port());
        RememberedDownload memory = memory(memories)) {
      Transfer transfer = download(proxy, 1, () -> {}, memory);

      assertThat(transfer.facts().crc32c()).isEqualTo(Digest.Algorithm.CRC32C.ofFile(file));
      assertThat(transfer.wireBytes()).isLessThanOrEqualTo(once - arrived);
      assertThat(proxy.respondedBytes()).isLessThan(once - arrived / 2);
      assertThat(heard).isEmpty();
    }
    assertThat(memories).isEmptyDirectory();
    assertArrived(file);
    Files.delete(file);
  }

  @Test
  void download_ofAnEarlierProcessWhoseFileHasChanged_beginsAnew() throws Exception {
    Path file = stored(1);
    Path memories = temporary.resolve("memory");
    Path unused = begun(memories);
    Path fresh = TestFiles.write(temporary.resolve("fresh"), TestFiles.incompressible(BYTES, 2));
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    try (TcpProxy proxy = new TcpProxy(server.port());
        RememberedDownload memory = memory(memories)) {
      download(proxy, 1, () -> {}, memory);

      assertThat(heard)
          .as("%s", heard)
          .extracting(FerryException::kind)
          .containsExactly(ErrorKind.FILE_CHANGED);
    }
    assertThat(memories).isEmptyDirectory();
    assertArrived(file);
    Files.delete(file);
  }

  /** Ends the server, as the end of a process would, and starts another one in its place. */
  void startAgain(TcpProxy proxy) throws Exception {
    // Nobody else who gets the port meanwhile.
    proxy.forwardTo(0);
    server.close();
    TestFiles.awaitNothingOpen(root);
    server = serve(LocalFileStore.open(root));
    proxy.forwardTo(server.port());
    // What a slow client has not read yet could be all of the file.
    proxy.cut();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  @Execution(ExecutionMode.CONCURRENT)
  void download_fileThatChangesMeanwhile_beginsAnew(int streams) throws Exception {
    Path file = stored(1);
    try (TcpProxy proxy = new TcpProxy(server.port())) {
      proxy.holdAfter(SOME);
      Background<Transfer> download = Background.start(() -> download(proxy, streams, () -> {}));
      proxy.awaitHeld();
      // Without a byte of the old version there is nothing that could be of another one.
      while (arrived() == 0 && !download.isDone()) {
        Thread.sleep(1);
      }
      Path fresh = TestFiles.write(temporary.resolve("fresh"), TestFiles.incompressible(BYTES, 2));
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
      proxy.cut();
      download.result();
      assertArrived(file);
      assertThat(heard).extracting(FerryException::kind).contains(ErrorKind.FILE_CHANGED);
    }
    Files.delete(file);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  @Execution(ExecutionMode.CONCURRENT)
  void download_serverThatIsGone_saysHowOftenItTried(int streams) throws Exception {
    Path file = stored(1);
    try (TcpProxy proxy = new TcpProxy(server.port())) {
      proxy.holdAfter(SOME);
      Background<Transfer> download = Background.start(() -> download(proxy, streams, () -> {}));
      proxy.awaitHeld();
      proxy.close();
      FerryException failure = download.failure();
      assertThat(failure.outage()).as(failure.getMessage()).isEqualTo(Outage.REFUSED);
      assertThat(failure.getMessage())
          .matches("connection refused at 127.0.0.1:\\d+; gave up after [45] attempts");
    }
    Files.delete(file);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void download_interruptedWhileItWaits_isCancelledAtOnce() throws Exception {
    Path file = stored(1);
    CountDownLatch waiting = new CountDownLatch(1);
    try (TcpProxy proxy = new TcpProxy(server.port())) {
      proxy.holdAfter(SOME);
      Background<Transfer> download =
          Background.start(
              () ->
                  download(
                      proxy,
                      1,
                      () -> {
                        waiting.countDown();
                        new CountDownLatch(1).await();
                      }));
      proxy.awaitHeld();
      proxy.cut();
      waiting.await();
      download.interrupt();
      assertThat(download.failure().kind()).isEqualTo(ErrorKind.CANCELLED);
    }
    Files.delete(file);
  }
}
