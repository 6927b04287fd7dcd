package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ferry.core.Background;
import dev.ferry.core.CallLimits;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FaultyChannel;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.ForwardingSource;
import dev.ferry.core.Round;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StorePath;
import dev.ferry.core.SwitchStore;
import dev.ferry.core.TcpProxy;
import dev.ferry.core.TestFiles;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.ForwardingSink;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.wire.ServerSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What happens to a transfer of {@code ZeroCopy} on each of its ways, and above all what is left of
 * it: no file, no buffer, no codec.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("rounds")
@ExtendWith(Round.Naming.class)
@Timeout(300)
class FaultsTest {
  private static final boolean THOROUGH = Boolean.getBoolean("ferry.thorough");
  private static final int MEBIBYTE = 1024 * 1024;

  /** Most that an end may hold for a transfer: 2 MiB at work and the stream's window of 16 MiB. */
  private static final long BOUND = 24 * MEBIBYTE;

  /**
   * Most that an end may hold for a compressed transfer: of a compressed stream 8 MiB may wait
   * besides. On a busy machine an end reads less at once than a read buffer takes, so its buffers
   * are taken to be half empty.
   */
  private static final long COMPRESSED_BOUND = 2 * BOUND;

  private static final int SIZE = 40 * MEBIBYTE;
  private static final byte[] RANDOM = TestFiles.random(SIZE, 1);
  private static final byte[] TABLE = TestFiles.compressible(SIZE, 1);

  /** How the messages are made. */
  enum Way {
    BATCHED(false, 8192, RANDOM, null),
    HASHED(false, 65536, RANDOM, Digest.Algorithm.SHA256),
    COMPRESSED(true, 65536, TABLE, null),
    COMPRESSED_IN_VAIN(true, TransferOptions.MAX_CHUNK, RANDOM, null),
    COMPRESSED_SMALL(true, 500, TABLE, null);

    private final TransferOptions options;
    private final byte[] bytes;

    Way(boolean gzip, int chunk, byte[] bytes, Digest.@Nullable Algorithm digest) {
      this.options = TransferOptions.DEFAULT.withGzip(gzip).withChunkSize(chunk).withDigest(digest);
      // Small messages take long: a part of the file will do.
      this.bytes = chunk < 1000 ? Arrays.copyOf(bytes, SIZE / 16) : bytes;
    }

    static List<Way> compressing() {
      return Stream.of(values()).filter(way -> way.options.gzip()).toList();
    }

    private long bound() {
      return options.gzip() ? COMPRESSED_BOUND : BOUND;
    }
  }

  @Parameter
  @SuppressWarnings("NullAway.Init")
  private Round<Way> round;

  private Way way = Way.BATCHED;
  @TempDir Path temporary;
  private final MeasuredEnd clientEnd = new MeasuredEnd();
  private final MeasuredEnd serverEnd = new MeasuredEnd();
  private final CountDownLatch begun = new CountDownLatch(1);
  private Path root = Path.of("");
  private Path local = Path.of("");
  private Path source = Path.of("");
  private SwitchStore store;
  private GrpcFilesServer server;
  private TcpProxy wire;
  private GrpcCarrier carrier;

  static Stream<Round<Way>> rounds() {
    return Round.shared(List.of(Way.values()));
  }

  /** Those that need a way which compresses; a thorough run skips them on the others. */
  private static boolean stopsWorkers(TestInfo test) {
    return test.getTestMethod().orElseThrow().getName().contains("CompressWorkers");
  }

  /** Those that a small file, or a bound with room for compressed streams, would always pass. */
  private static boolean boundsMemory(TestInfo test) {
    return test.getTestMethod().orElseThrow().getName().contains("akesLittleMemory");
  }

  @BeforeEach
  void start(TestInfo test) throws Exception {
    if (!THOROUGH && stopsWorkers(test)) {
      round = Round.one(Way.compressing());
    } else if (!THOROUGH && boundsMemory(test)) {
      round = Round.one(List.of(Way.BATCHED, Way.HASHED));
    }
    way = round.configuration(test);
    root = Files.createDirectory(temporary.resolve("store"));
    local = Files.createDirectory(temporary.resolve("local"));
    source = TestFiles.age(TestFiles.write(temporary.resolve("source"), way.bytes));
    store = new SwitchStore(LocalFileStore.open(root));
    server =
        GrpcFilesServer.start(store, "127.0.0.1", 0, serverEnd.setup(), ServerSettings.defaults());
    wire = new TcpProxy(server.port());
    carrier = GrpcCarrier.connect("127.0.0.1", wire.port(), clientEnd.setup(), null, null);
  }

  @AfterEach
  void nothingIsLeft() throws Exception {
    TestFiles.awaitNothingOpen(temporary);
    TestFiles.awaitTree(local);
    assertThat(TestFiles.tree(root)).noneMatch(name -> name.contains(".ferry-"));
    carrier.close();
    server.close();
    wire.close();
    clientEnd.awaitDrained();
    serverEnd.awaitDrained();
  }

  /** A disk that takes so many seconds for the file: time enough to break the upload. */
  private void slowDisk(int seconds) throws IOException {
    useDisk(FaultyChannel.slow(way.bytes.length / seconds, begun::countDown));
  }

  private void useDisk(FaultyChannel.Fault fault) throws IOException {
    store.use(LocalFileStore.open(root, FaultyChannel.options(fault)));
  }

  private Background<Transfer> upload(TransferOptions options) {
    TransferOptions making = options.withMakeParents(true);
    return Background.start(() -> carrier.upload(source, StorePath.parse("new/file"), making));
  }

  /** A download of which a part arrives, and the rest waits on the wire. */
  private Background<Transfer> heldDownload() throws Exception {
    TestFiles.write(root.resolve("file"), way.bytes);
    TransferOptions options =
        way.options.withProgress(
            (done, total) -> {
              if (done > 0) {
                begun.countDown();
              }
            });
    wire.holdAfter(way.bytes.length / 8);
    Background<Transfer> download =
        Background.start(
            () -> carrier.download(StorePath.parse("file"), local.resolve("target"), options));
    awaitBegun();
    return download;
  }

  private void awaitBegun() throws InterruptedException {
    assertThat(begun.await(120, TimeUnit.SECONDS)).isTrue();
  }

  /** The carrier still works, on the same connection if it was not cut. */
  private void assertStillServes() throws Exception {
    store.use(LocalFileStore.open(root, SinkOptions.DEFAULT));
    Path again = TestFiles.write(temporary.resolve("again"), Arrays.copyOf(way.bytes, 300_000));
    carrier.upload(again, StorePath.parse("again"), way.options);
    assertThat(Files.mismatch(again, root.resolve("again"))).isEqualTo(-1);
    carrier.download(StorePath.parse("again"), local.resolve("again"), way.options);
    assertThat(Files.mismatch(again, local.resolve("again"))).isEqualTo(-1);
    Files.delete(local.resolve("again"));
  }

  private void assertNothingHeld() throws Exception {
    clientEnd.awaitReleased();
    serverEnd.awaitReleased();
  }

  @Test
  void store_thatBreaks_isInternalAndTellsNothingElse() throws Exception {
    store.use(
        new ForwardingStore(LocalFileStore.open(root)) {
          @Override
          public FileFacts stat(StorePath path, boolean digest) {
            throw new IllegalStateException("/srv/secret");
          }

          @Override
          public FileSource open(StorePath path) {
            throw new IllegalStateException("/srv/secret");
          }
        });
    StorePath path = StorePath.parse("file");
    assertThat(catchThrowable(() -> carrier.stat(path, null, CallLimits.DEFAULT)))
        .isInstanceOfSatisfying(
            FerryException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INTERNAL))
        .hasMessage("internal error");
    assertThat(catchThrowable(() -> carrier.download(path, local.resolve("target"), way.options)))
        .isInstanceOfSatisfying(
            FerryException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INTERNAL))
        .hasMessage("internal error");
    assertStillServes();
  }

  /** For instance no direct memory, on a worker. */
  @Test
  void store_thatThrowsAnError_isInternalAndEndsTheCall() throws Exception {
    TestFiles.write(root.resolve("file"), Arrays.copyOf(way.bytes, 300_000));
    store.use(
        new ForwardingStore(LocalFileStore.open(root)) {
          @Override
          public FileFacts stat(StorePath path, boolean digest) throws FerryException {
            if (digest) {
              throw new OutOfMemoryError("of the test");
            }
            return super.stat(path, false);
          }

          @Override
          public FileSink create(StorePath path, CreateOptions options) throws FerryException {
            return new ForwardingSink(super.create(path, options)) {
              @Override
              public boolean commitsSlowly() {
                return true;
              }

              @Override
              public FileFacts commit(long expectedSize, @Nullable Digest expectedDigest) {
                throw new OutOfMemoryError("of the test");
              }
            };
          }

          @Override
          public FileSource open(StorePath path) throws FerryException {
            return new ForwardingSource(super.open(path)) {
              @Override
              public void verifyUnchanged() {
                throw new OutOfMemoryError("of the test");
              }
            };
          }
        });
    StorePath path = StorePath.parse("file");
    Path target = local.resolve("target");
    List<Background<?>> calls =
        List.of(
            Background.start(() -> carrier.stat(path, Digest.Algorithm.SHA256, CallLimits.DEFAULT)),
            Background.start(() -> carrier.download(path, target, way.options)),
            upload(way.options));
    for (Background<?> call : calls) {
      assertThat(call.failure().kind()).isEqualTo(ErrorKind.INTERNAL);
    }
    assertNothingHeld();
    assertStillServes();
  }

  @Test
  void upload_interrupted_leavesNothing() throws Exception {
    slowDisk(5);
    Background<Transfer> upload = upload(way.options);
    awaitBegun();
    upload.interrupt();
    assertThat(upload.failure().kind()).isEqualTo(ErrorKind.CANCELLED);
    TestFiles.awaitTree(root);
    assertNothingHeld();
    assertStillServes();
  }

  @Test
  void upload_pastItsDeadline_leavesNothing() throws Exception {
    slowDisk(5);
    Background<Transfer> upload = upload(way.options.withTimeout(Duration.ofMillis(300)));
    assertThat(upload.failure().kind()).isEqualTo(ErrorKind.DEADLINE_EXCEEDED);
    TestFiles.awaitTree(root);
    assertNothingHeld();
    assertStillServes();
  }

  @Test
  void upload_ontoAFullDisk_leavesNothing() throws Exception {
    useDisk(FaultyChannel.fullAfter(MEBIBYTE));
    assertThat(upload(way.options).failure().kind()).isEqualTo(ErrorKind.OUT_OF_SPACE);
    TestFiles.awaitTree(root);
    assertNothingHeld();
    assertStillServes();
  }

  @Test
  void upload_ofAFileThatIsCut_saysSo() throws Exception {
    TransferOptions cutting =
        way.options.withProgress(
            (done, total) -> {
              if (begun.getCount() > 0) {
                begun.countDown();
                truncate(source);
              }
            });
    assertThat(upload(cutting).failure().kind()).isEqualTo(ErrorKind.FILE_CHANGED);
    TestFiles.awaitTree(root);
    assertNothingHeld();
    assertStillServes();
  }

  private static void truncate(Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() / 2);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void upload_overAWireThatIsCut_fails(boolean heldBefore) throws Exception {
    slowDisk(5);
    Background<Transfer> upload = upload(way.options);
    awaitBegun();
    if (heldBefore) {
      wire.hold();
    }
    wire.cut();
    assertThat(upload.failure().kind()).isEqualTo(ErrorKind.UNAVAILABLE);
    TestFiles.awaitTree(root);
    assertNothingHeld();
    assertStillServes();
  }

  @Test
  void upload_whoseServerIsKilled_fails() throws Exception {
    slowDisk(5);
    Background<Transfer> upload = upload(way.options);
    awaitBegun();
    server.closeNow();
    assertThat(upload.failure().kind()).isEqualTo(ErrorKind.UNAVAILABLE);
    TestFiles.awaitTree(root);
    assertNothingHeld();
  }

  @Test
  void upload_whoseCarrierIsClosed_fails() throws Exception {
    slowDisk(5);
    Background<Transfer> upload = upload(way.options);
    awaitBegun();
    carrier.close();
    assertThat(upload.failure().kind()).isIn(ErrorKind.UNAVAILABLE, ErrorKind.CANCELLED);
    TestFiles.awaitTree(root);
    assertNothingHeld();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void upload_whoseCompressWorkersStop_endsSoon(boolean atTheServer) throws Exception {
    assumeTrue(way.options.gzip());
    slowDisk(5);
    Background<Transfer> upload = upload(way.options);
    awaitBegun();
    (atTheServer ? serverEnd : clientEnd).workers().close();
    assertWholeOrUnavailable(upload, root.resolve("new/file"));
    assertNothingHeld();
  }

  @Test
  void upload_ontoAStalledDisk_takesLittleMemory() throws Exception {
    slowDisk(2);
    Background<Transfer> upload = upload(way.options);
    while (!upload.isDone()) {
      assertThat(serverEnd.usedBytes()).as("of the server").isLessThan(way.bound());
      assertThat(clientEnd.usedBytes()).as("of the client").isLessThan(way.bound());
      Thread.sleep(1);
    }
    upload.result();
    assertThat(Files.mismatch(source, root.resolve("new/file"))).isEqualTo(-1);
    assertNothingHeld();
  }

  @Test
  void download_toAReaderThatStalls_takesLittleMemory() throws Exception {
    Background<Transfer> download = heldDownload();
    for (int i = 0; i < 200; i++) {
      assertThat(serverEnd.usedBytes()).as("of the server").isLessThan(way.bound());
      assertThat(clientEnd.usedBytes()).as("of the client").isLessThan(way.bound());
      Thread.sleep(1);
    }
    wire.release();
    download.result();
    Path target = local.resolve("target");
    assertThat(Files.mismatch(source, target)).isEqualTo(-1);
    Files.delete(target);
    assertNothingHeld();
  }

  @Test
  void download_interrupted_leavesNothing() throws Exception {
    Background<Transfer> download = heldDownload();
    download.interrupt();
    assertThat(download.failure().kind()).isEqualTo(ErrorKind.CANCELLED);
    TestFiles.awaitTree(local);
    wire.release();
    assertNothingHeld();
    assertStillServes();
  }

  @Test
  void download_overAWireThatIsCut_fails() throws Exception {
    Background<Transfer> download = heldDownload();
    wire.cut();
    assertThat(download.failure().kind()).isEqualTo(ErrorKind.UNAVAILABLE);
    TestFiles.awaitTree(local);
    assertNothingHeld();
    assertStillServes();
  }

  @Test
  void download_whoseServerIsKilled_fails() throws Exception {
    Background<Transfer> download = heldDownload();
    Background<Boolean> killing =
        Background.start(
            () -> {
              server.closeNow();
              return true;
            });
    wire.release();
    killing.result();
    try {
      download.result();
      Files.delete(local.resolve("target"));
    } catch (FerryException e) {
      assertThat(e.kind()).isIn(ErrorKind.UNAVAILABLE, ErrorKind.INCOMPLETE);
    }
    assertNothingHeld();
  }

  @Test
  void download_whoseCarrierIsClosed_fails() throws Exception {
    Background<Transfer> download = heldDownload();
    carrier.close();
    assertThat(download.failure().kind()).isIn(ErrorKind.UNAVAILABLE, ErrorKind.CANCELLED);
    TestFiles.awaitTree(local);
    wire.release();
    assertNothingHeld();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void download_whoseCompressWorkersStop_endsSoon(boolean atTheServer) throws Exception {
    assumeTrue(way.options.gzip());
    Background<Transfer> download = heldDownload();
    (atTheServer ? serverEnd : clientEnd).workers().close();
    wire.release();
    assertWholeOrUnavailable(download, local.resolve("target"));
    assertNothingHeld();
  }

  /**
   * What was compressed, or decompressed, before its workers stopped may be the whole of a small
   * file.
   */
  private void assertWholeOrUnavailable(Background<Transfer> transfer, Path target)
      throws Exception {
    try {
      transfer.result();
      assertThat(Files.mismatch(source, target)).isEqualTo(-1);
      assertThat(way).as("a file this large").isEqualTo(Way.COMPRESSED_SMALL);
      Files.delete(target);
    } catch (FerryException e) {
      assertThat(e.kind()).isEqualTo(ErrorKind.UNAVAILABLE);
    }
  }
}
