package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.internal.ForwardingSink;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.core.local.Upload;
import dev.ferry.core.upload.RememberedUpload;
import dev.ferry.core.upload.UploadIds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Uploads that go on after the connection or the server was lost. Those that compute more than they
 * wait run one after another.
 */
public abstract class UploadResumeContract extends ResumeContract {
  private static final String STATE = ".ferry-uploads";

  /** Servers keep this much of an upload. */
  private static final int UPLOADED = 12_000_000;

  private static final int CUT = 5_000_000;

  /** What the server has of these at least: the rest may wait in buffers, which a cut discards. */
  private static final int RECEIVED = 1_000_000;

  private Path sent() throws Exception {
    Path file = TestFiles.write(temporary.resolve("sent"), TestFiles.incompressible(UPLOADED, 1));
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  private Transfer upload(TcpProxy proxy, Path file, TransferOptions options, Pause pause)
      throws Exception {
    return upload(proxy, file, options, pause, UploadIds.RANDOM);
  }

  private Transfer upload(
      TcpProxy proxy, Path file, TransferOptions options, Pause pause, UploadIds ids)
      throws Exception {
    try (Carrier first = connect("127.0.0.1", proxy.port())) {
      return Objects.requireNonNull(
          Upload.run(
              Carriers.of(first, () -> another(proxy.port())),
              file,
              StorePath.parse("file"),
              options,
              retries(pause),
              carrier -> options.create(),
              ids));
    }
  }

  /** Returns the bytes of an upload that nothing disturbs. Text has a third more than the file. */
  private long whole(Path file) throws Exception {
    try (TcpProxy proxy = new TcpProxy(server.port())) {
      Transfer unused = upload(proxy, file, OPTIONS, () -> {});
      return proxy.requestedBytes();
    }
  }

  @Test
  void upload_ofAnEarlierProcess_goesOn() throws Exception {
    Path file = sent();
    long whole = whole(file);
    Path memory = temporary.resolve("memory");
    try (TcpProxy proxy = new TcpProxy(server.port());
        RememberedUpload ids = new RememberedUpload(memory, List.of("key"))) {
      proxy.holdAfter(CUT);
      Background<Transfer> upload =
          Background.start(() -> upload(proxy, file, OPTIONS, () -> {}, ids));
      proxy.awaitHeld();
      awaitReceived();
      proxy.close();
      // How it fails does not matter here. It must leave the upload to a later process.
      FerryException unused = upload.failure();
    }
    TestFiles.awaitNothingOpen(temporary);
    try (TcpProxy proxy = new TcpProxy(server.port());
        RememberedUpload ids = new RememberedUpload(memory, List.of("key"))) {
      Transfer transfer = upload(proxy, file, OPTIONS, () -> {}, ids);

      assertThat(transfer.facts().crc32c()).isEqualTo(Digest.Algorithm.CRC32C.ofFile(file));
      assertThat(proxy.requestedBytes()).isLessThan(whole - RECEIVED / 2);
      assertThat(transfer.resumedAt()).isGreaterThan(RECEIVED / 2);
      assertThat(transfer.wireBytes()).isLessThan(whole - RECEIVED / 2);
    }
    assertThat(memory).isEmptyDirectory();
    assertStored(file);
  }

  private void awaitReceived() throws Exception {
    Path state = root.resolve(STATE);
    while (Files.notExists(state) || receivedBytes(state) < RECEIVED) {
      Thread.sleep(5);
    }
  }

  private static long receivedBytes(Path state) throws Exception {
    long bytes = 0;
    for (String name : TestFiles.tree(state)) {
      bytes += name.endsWith(".bytes") ? state.resolve(name).toFile().length() : 0;
    }
    return bytes;
  }

  /** Checks the stored file and that nothing but records is left of the uploads. */
  private void assertStored(Path file) throws Exception {
    Path stored = root.resolve("file");
    assertThat(Files.mismatch(file, stored)).isEqualTo(-1);
    assertThat(stored).isExecutable();
    Files.delete(stored);
    assertThat(TestFiles.tree(root.resolve(STATE)))
        .isNotEmpty()
        .allMatch(name -> name.endsWith(".record"));
    deleteState();
  }

  private void deleteState() throws Exception {
    for (String name : TestFiles.tree(root.resolve(STATE))) {
      Files.delete(root.resolve(STATE).resolve(name));
    }
    Files.delete(root.resolve(STATE));
  }

  @ParameterizedTest
  @EnumSource
  void upload_connectionsLostAgainAndAgain_transfersAlmostNothingTwice(Digest.Algorithm algorithm)
      throws Exception {
    Path file = sent();
    try (TcpProxy proxy = new TcpProxy(server.port())) {
      proxy.cutRequestsEach(CUT);
      Transfer transfer = upload(proxy, file, OPTIONS.withDigest(algorithm), () -> {});

      assertThat(transfer.facts().digest(algorithm)).isEqualTo(algorithm.ofFile(file));
      assertThat(heard).hasSizeGreaterThanOrEqualTo(UPLOADED / CUT);
      assertThat(proxy.requestedBytes()).isLessThan(UPLOADED * 3L / 2 + heard.size() * (4L << 20));
    }
    assertStored(file);
  }

  @Test
  void upload_serverStartedAgain_goesOn() throws Exception {
    Path file = sent();
    try (TcpProxy proxy = new TcpProxy(server.port())) {
      proxy.holdAfter(CUT);
      CountDownLatch started = new CountDownLatch(1);
      Background<Transfer> upload =
          Background.start(() -> upload(proxy, file, OPTIONS, started::await));
      proxy.awaitHeld();
      startAgain(proxy);
      started.countDown();
      Transfer transfer = upload.result();

      assertThat(transfer.facts().crc32c()).isEqualTo(Digest.Algorithm.CRC32C.ofFile(file));
      assertThat(heard).isNotEmpty();
      assertThat(proxy.requestedBytes()).isLessThan(UPLOADED * 2L);
    }
    assertStored(file);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void upload_clientAsleepForTooLong_goesOn() throws Exception {
    Path file = sent();
    long whole = whole(file);
    serveImpatiently();
    try (TcpProxy proxy = new TcpProxy(server.port())) {
      proxy.holdAfter(CUT);
      Background<Transfer> upload = Background.start(() -> upload(proxy, file, OPTIONS, () -> {}));
      awaitReceived();
      awaitStall(proxy);
      Transfer transfer = upload.result();

      assertThat(transfer.facts().crc32c()).isEqualTo(Digest.Algorithm.CRC32C.ofFile(file));
      assertOnlyStallsWereHeard();
      assertThat(proxy.requestedBytes()).isLessThan(2 * whole);
    }
    assertStored(file);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void upload_modificationTime_isKeptToTheMillisecond() throws Exception {
    Instant modified = Instant.parse("2001-02-03T04:05:06.789Z");
    Path file = TestFiles.write(temporary.resolve("sent"), new byte[100]);
    Files.setLastModifiedTime(file, FileTime.from(modified));
    Path stored = root.resolve("file");
    try (Carrier carrier = connect("127.0.0.1", server.port())) {
      Transfer transfer = carrier.upload(file, StorePath.parse("file"), OPTIONS);
      assertThat(transfer.facts().lastModified()).isEqualTo(modified);
      assertThat(Files.getLastModifiedTime(stored).toInstant().truncatedTo(ChronoUnit.MILLIS))
          .isEqualTo(modified);
    }
    Files.delete(stored);
  }

  @Test
  void upload_answerLost_makesOneFile() throws Exception {
    Path file = sent();
    AtomicInteger created = new AtomicInteger();
    try (TcpProxy proxy = new TcpProxy(server.port())) {
      server.close();
      server = serve(new AnswerLost(LocalFileStore.open(root), created, proxy));
      proxy.forwardTo(server.port());
      Transfer transfer = upload(proxy, file, OPTIONS.withCreateOnly(true), () -> {});

      assertThat(transfer.facts().crc32c()).isEqualTo(Digest.Algorithm.CRC32C.ofFile(file));
      assertThat(created).hasValue(1);
      assertThat(heard).hasSize(1);
    }
    assertStored(file);
  }

  @Test
  void upload_thatTheServerBeginsLate_isDiscarded() throws Exception {
    Path file = sent();
    server.close();
    BegunLate store = new BegunLate(LocalFileStore.open(root));
    server = serve(store);
    try (TcpProxy proxy = new TcpProxy(server.port())) {
      Background<Transfer> upload = Background.start(() -> upload(proxy, file, OPTIONS, () -> {}));
      store.asked.await();
      proxy.cut();
      Transfer transfer = upload.result();

      assertThat(transfer.facts().crc32c()).isEqualTo(Digest.Algorithm.CRC32C.ofFile(file));
      assertThat(heard).hasSize(1);
    }
    while (receivedBytes(root.resolve(STATE)) > 0) {
      Thread.sleep(5);
    }
    assertStored(file);
  }

  @Test
  void upload_sourceThatChangesMeanwhile_beginsAnew() throws Exception {
    Path file = sent();
    Path fresh = TestFiles.write(temporary.resolve("fresh"), TestFiles.incompressible(UPLOADED, 2));
    assertThat(fresh.toFile().setExecutable(true)).isTrue();
    try (TcpProxy proxy = new TcpProxy(server.port())) {
      proxy.holdAfter(CUT);
      Background<Transfer> upload =
          Background.start(
              () ->
                  upload(
                      proxy,
                      file,
                      OPTIONS,
                      () -> {
                        try {
                          Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
                        } catch (Exception e) {
                          throw new AssertionError(e);
                        }
                      }));
      proxy.awaitHeld();
      proxy.cut();
      Transfer transfer = upload.result();

      assertThat(transfer.facts().crc32c()).isEqualTo(Digest.Algorithm.CRC32C.ofFile(file));
      assertThat(heard).extracting(FerryException::kind).contains(ErrorKind.FILE_CHANGED);
    }
    assertStored(file);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void upload_serverThatIsGone_saysHowOftenItTried() throws Exception {
    Path file = sent();
    try (TcpProxy proxy = new TcpProxy(server.port())) {
      proxy.holdAfter(CUT);
      Background<Transfer> upload = Background.start(() -> upload(proxy, file, OPTIONS, () -> {}));
      proxy.awaitHeld();
      awaitReceived();
      proxy.close();
      FerryException failure = upload.failure();

      assertThat(failure.outage()).as(failure.getMessage()).isEqualTo(Outage.REFUSED);
      assertThat(failure.getMessage())
          .matches("connection refused at 127.0.0.1:\\d+; gave up after [45] attempts");
    }
    TestFiles.awaitNothingOpen(temporary);
    deleteState();
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void upload_interruptedWhileItWaits_isDiscardedByTheServer() throws Exception {
    Path file = sent();
    CountDownLatch waiting = new CountDownLatch(1);
    try (TcpProxy proxy = new TcpProxy(server.port())) {
      proxy.holdAfter(CUT);
      Background<Transfer> upload =
          Background.start(
              () ->
                  upload(
                      proxy,
                      file,
                      OPTIONS,
                      () -> {
                        waiting.countDown();
                        new CountDownLatch(1).await();
                      }));
      proxy.awaitHeld();
      awaitReceived();
      proxy.cut();
      waiting.await();
      upload.interrupt();

      assertThat(upload.failure().kind()).isEqualTo(ErrorKind.CANCELLED);
    }
    TestFiles.awaitTree(root.resolve(STATE));
    deleteState();
  }

  /** Begins the first upload only when the second one is to begin, and then before it. */
  private static final class BegunLate extends ForwardingStore {
    final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch askedAgain = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);

    BegunLate(FileStore store) {
      super(store);
    }

    /** So that calls that wait have a thread each. */
    @Override
    public boolean isRemote() {
      return true;
    }

    @Override
    public FileSink create(StorePath path, CreateOptions options) throws FerryException {
      boolean first = asked.getCount() > 0;
      try {
        if (first) {
          asked.countDown();
          askedAgain.await();
        } else {
          askedAgain.countDown();
          begun.await();
        }
        return super.create(path, options);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      } finally {
        if (first) {
          begun.countDown();
        }
      }
    }
  }

  /** A store that loses the connection before the response to the first upload. */
  private static final class AnswerLost extends ForwardingStore {
    private final AtomicInteger created;
    private final TcpProxy proxy;

    AnswerLost(FileStore store, AtomicInteger created, TcpProxy proxy) {
      super(store);
      this.created = created;
      this.proxy = proxy;
    }

    @Override
    public FileSink create(StorePath path, CreateOptions options) throws FerryException {
      created.incrementAndGet();
      return new ForwardingSink(super.create(path, options)) {
        @Override
        public FileFacts commit(long expectedSize, @Nullable Digest expectedDigest)
            throws FerryException {
          FileFacts facts = super.commit(expectedSize, expectedDigest);
          proxy.cut();
          return facts;
        }
      };
    }
  }
}
