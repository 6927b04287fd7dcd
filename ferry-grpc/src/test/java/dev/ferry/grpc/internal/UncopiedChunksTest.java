package dev.ferry.grpc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Compression;
import dev.ferry.core.Round;
import dev.ferry.core.StorePath;
import dev.ferry.core.TestFiles;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.internal.message.ChunkCounters.Snapshot;
import dev.ferry.wire.internal.v1.DownloadRequest;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.wire.internal.v1.FilesGrpc;
import dev.ferry.zerocopy.EventLoops;
import io.grpc.ManagedChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ferry's transfers copy no chunk, compressed or not. {@code HandOffContractTest} of ferry-zerocopy
 * has what that leans on; the day a release of grpc-java does otherwise, transfers still work, and
 * both fail.
 */
class UncopiedChunksTest {
  private static final int CHUNKS = 40;
  private static final int LARGE_CHUNKS = Round.times(20, CHUNKS);

  @TempDir Path temporary;
  private Path root = Path.of("");

  @BeforeEach
  void makeStore() throws Exception {
    root = Files.createDirectory(temporary.resolve("store"));
  }

  private SocketFixture open() throws Exception {
    return new SocketFixture(LocalFileStore.open(root));
  }

  private Path file(int size) throws Exception {
    return TestFiles.write(root.resolve("file"), TestFiles.incompressible(size, size));
  }

  private static int chunks(int chunkSize) {
    return chunkSize > 65536 ? LARGE_CHUNKS : CHUNKS;
  }

  private Path compressibleFile(int size) throws Exception {
    return TestFiles.write(root.resolve("file"), TestFiles.random(size, size));
  }

  @ParameterizedTest
  @ValueSource(ints = {4096, 65536, 262144})
  void download_copiesNoChunk(int chunkSize) throws Exception {
    int chunks = chunks(chunkSize);
    Path file = file(chunks * chunkSize - 1);
    Path target = temporary.resolve("target");
    try (SocketFixture fixture = open()) {
      TransferOptions options = TransferOptions.DEFAULT.withChunkSize(chunkSize);
      fixture.carrier().download(StorePath.parse("file"), target, options);
      assertThat(Files.mismatch(file, target)).isEqualTo(-1);
      assertThat(fixture.server().counters().snapshot())
          .isEqualTo(new Snapshot(chunks, 0, 0, 0, 0));
      assertThat(fixture.carrier().counters().snapshot())
          .isEqualTo(new Snapshot(0, 0, chunks, 0, 0));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {4096, 65536, 262144})
  void upload_copiesNoChunk(int chunkSize) throws Exception {
    int chunks = chunks(chunkSize);
    Path file = file(chunks * chunkSize - 1);
    try (SocketFixture fixture = open()) {
      TransferOptions options = TransferOptions.DEFAULT.withChunkSize(chunkSize);
      fixture.carrier().upload(file, StorePath.parse("copy"), options);
      assertThat(Files.mismatch(file, root.resolve("copy"))).isEqualTo(-1);
      assertThat(fixture.carrier().counters().snapshot())
          .isEqualTo(new Snapshot(chunks, 0, 0, 0, 0));
      assertThat(fixture.server().counters().snapshot())
          .isEqualTo(new Snapshot(0, 0, chunks, 0, 0));
    }
  }

  /** Frames end within such messages, and buffers of under 1 KiB are merged by grpc-java. */
  @Test
  void download_ofTheLargestChunks_handsOffAllAndViewsMost() throws Exception {
    Path file = file(LARGE_CHUNKS * TransferOptions.MAX_CHUNK);
    Path target = temporary.resolve("target");
    try (SocketFixture fixture = open()) {
      TransferOptions options = TransferOptions.DEFAULT.withChunkSize(TransferOptions.MAX_CHUNK);
      fixture.carrier().download(StorePath.parse("file"), target, options);
      assertThat(Files.mismatch(file, target)).isEqualTo(-1);
      assertThat(fixture.server().counters().snapshot())
          .isEqualTo(new Snapshot(LARGE_CHUNKS, 0, 0, 0, 0));
      Snapshot in = fixture.carrier().counters().snapshot();
      assertThat(in.viewed() + in.copiedIn()).isEqualTo(LARGE_CHUNKS);
      assertThat(in.viewed()).isGreaterThan(LARGE_CHUNKS / 2);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "4096, GZIP, 1",
    "65536, GZIP, 1",
    "262144, GZIP, 9",
    "4096, ZSTD, 1",
    "1048512, ZSTD, 1"
  })
  void compressed_copiesNoChunk(int chunkSize, Compression.Format format, int level)
      throws Exception {
    // Large ones are as many as it takes to see that each is handed off.
    int chunks = chunkSize > 65536 ? CHUNKS / 4 : CHUNKS;
    Path file = compressibleFile(chunks * chunkSize - 1);
    Path target = temporary.resolve("target");
    TransferOptions options =
        TransferOptions.DEFAULT
            .withChunkSize(chunkSize)
            .withCompression(new Compression(format, level));
    try (SocketFixture fixture = open()) {
      Transfer transfer = fixture.carrier().download(StorePath.parse("file"), target, options);
      assertThat(transfer.encoding()).isEqualTo(format.encoding());
      assertThat(Files.mismatch(file, target)).isEqualTo(-1);
      assertThat(fixture.server().counters().snapshot())
          .isEqualTo(new Snapshot(chunks, 0, 0, 0, 0));
      assertCameWhole(chunks, fixture.carrier().counters().snapshot());
    }
    try (SocketFixture fixture = open()) {
      Transfer transfer = fixture.carrier().upload(file, StorePath.parse("copy"), options);
      assertThat(transfer.encoding()).isEqualTo(format.encoding());
      assertThat(Files.mismatch(file, root.resolve("copy"))).isEqualTo(-1);
      assertThat(fixture.carrier().counters().snapshot())
          .isEqualTo(new Snapshot(chunks, 0, 0, 0, 0));
      assertCameWhole(chunks, fixture.server().counters().snapshot());
    }
  }

  @ParameterizedTest
  @EnabledIfSystemProperty(
      named = "ferry.thorough",
      matches = "true",
      disabledReason = "-Pthorough")
  @CsvSource({
    "4088, GZIP, 1",
    "65536, GZIP, 0",
    "1048512, GZIP, 1",
    "262144, ZSTD, 3",
  })
  void compressed_otherwise_copiesNoChunk(int chunkSize, Compression.Format format, int level)
      throws Exception {
    compressed_copiesNoChunk(chunkSize, format, level);
  }

  /** Messages that end with a buffer of under 1 KiB are merged by grpc-java, and then copied. */
  private static void assertCameWhole(int chunks, Snapshot in) {
    assertThat(in.decompressed() + in.copiedIn()).isEqualTo(chunks);
    assertThat(in.decompressed()).isGreaterThan(chunks / 2);
  }

  @Test
  void compressed_fileThatWouldNotBecomeSmaller_isHandedOffAsItIs() throws Exception {
    Path file = file(CHUNKS * 65536);
    Path target = temporary.resolve("target");
    TransferOptions options = TransferOptions.DEFAULT.withChunkSize(65536).withGzip(true);
    try (SocketFixture fixture = open()) {
      Transfer transfer = fixture.carrier().download(StorePath.parse("file"), target, options);

      assertThat(Files.mismatch(file, target)).isEqualTo(-1);
      assertThat(fixture.server().counters().snapshot())
          .isEqualTo(new Snapshot(CHUNKS, 0, 0, 0, 0));
      assertThat(fixture.carrier().counters().snapshot().decompressed()).isZero();
      assertThat(transfer.wireBytes()).isBetween(CHUNKS * 65536L, CHUNKS * 65600L);
    }
  }

  /** Tracers see the first message of a hand-off only; the figures must not depend on that. */
  @ParameterizedTest
  @ValueSource(ints = {100, 4096, 65536, 262144})
  void wireBytes_ofManyMessagesAtOnce_countThemAll(int chunkSize) throws Exception {
    Path file = compressibleFile(chunks(chunkSize) * chunkSize - 1);
    TransferOptions options = TransferOptions.DEFAULT.withChunkSize(chunkSize).withVerify(false);
    EventLoops loops = new EventLoops("test", 1);
    GrpcSetup oneByOne = GrpcSetup.ofClient();
    try (SocketFixture ours = open()) {
      ManagedChannel channel =
          oneByOne.transport().connect("127.0.0.1", ours.server().port(), loops).build();
      GrpcChannel owned = GrpcChannel.of(channel, loops, "h2c");
      try (GrpcCarrier plain = new GrpcCarrier(owned, oneByOne, null, false)) {
        assertThat(ours.carrier().upload(file, StorePath.parse("a"), options).wireBytes())
            .isEqualTo(plain.upload(file, StorePath.parse("a"), options).wireBytes());
        DownloadRequest request =
            DownloadRequest.newBuilder().setPath("file").setChunkSize(chunkSize).build();
        long bytes = 0;
        for (Iterator<FilePart> parts = FilesGrpc.newBlockingStub(channel).download(request);
            parts.hasNext(); ) {
          bytes += parts.next().getSerializedSize();
        }
        Path target = temporary.resolve("target");
        assertThat(ours.carrier().download(StorePath.parse("file"), target, options).wireBytes())
            .isEqualTo(bytes);
      }
    }
  }

  @Test
  void download_ofTinyChunks_arrivesWholeHoweverItIsCopied() throws Exception {
    Path file = compressibleFile(20_000);
    Path target = temporary.resolve("target");
    try (SocketFixture fixture = open()) {
      TransferOptions options = TransferOptions.DEFAULT.withChunkSize(3);
      fixture.carrier().download(StorePath.parse("file"), target, options);
      assertThat(Files.mismatch(file, target)).isEqualTo(-1);
      Snapshot in = fixture.carrier().counters().snapshot();
      assertThat(in.viewed() + in.copiedIn()).isEqualTo((20_000 + 2) / 3);
    }
  }
}
