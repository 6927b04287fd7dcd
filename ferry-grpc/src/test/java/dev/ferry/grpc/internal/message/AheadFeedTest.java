package dev.ferry.grpc.internal.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.Generated;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.zerocopy.BytesField;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AheadFeedTest {
  private static final int MEBIBYTE = 1024 * 1024;
  private static final int CHUNK = 64 * 1024;

  private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(true);
  private final BytesField<FilePart> field = SentFrames.field(memory);
  private final Semaphore ready = new Semaphore(0);

  /** Uses the feed of a file whose SHA-256 is computed while it is read. */
  @FunctionalInterface
  private interface Use {
    void of(FileSource source, ChunkFeed feed, ExecutorService worker) throws Exception;
  }

  private void withFeed(Path file, int chunkSize, Use use) throws Exception {
    ExecutorService worker = Executors.newSingleThreadExecutor();
    try (FileSource source = FileSource.open(file)) {
      source.computeWhileReading(Digest.Algorithm.SHA256);
      ChunkFeed chunks = new BatchFeed(field, source, 0, source.facts().size(), chunkSize, false);
      try (ChunkFeed feed = new AheadFeed(chunks, worker, ready::release)) {
        use.of(source, feed, worker);
      }
    } finally {
      worker.shutdown();
      assertThat(worker.awaitTermination(120, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(memory.metric().usedDirectMemory()).as("bytes not released").isZero();
  }

  private static Path file(Path directory, int size) throws Exception {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return Files.write(directory.resolve("file"), bytes);
  }

  /** Waits for the next message. */
  private ChunkMessage await(ChunkFeed feed) throws Exception {
    ChunkMessage message = feed.next();
    while (message == null) {
      assertThat(ready.tryAcquire(120, TimeUnit.SECONDS)).as("notified").isTrue();
      message = feed.next();
    }
    return message;
  }

  private byte[] takeAll(ChunkFeed feed) throws Exception {
    long before = feed.position();
    ByteArrayOutputStream taken = new ByteArrayOutputStream();
    while (!feed.ended()) {
      ChunkMessage message = await(feed);
      SentFrames.of(field, message).chunks().writeTo(taken);
      message.release();
      assertThat(feed.position()).isEqualTo(before + taken.size());
    }
    return taken.toByteArray();
  }

  @Test
  void next_anyFileAndChunk_givesTheFileInOrderAndItsDigest() {
    Generated.check(
        30,
        input ->
            assertGivesTheFileAndItsDigest(
                input.size(5 * MEBIBYTE), input.between(1_000, MEBIBYTE)));
  }

  private void assertGivesTheFileAndItsDigest(int size, int chunkSize) throws Exception {
    Path directory = Files.createTempDirectory("ahead");
    Path file = file(directory, size);
    try {
      withFeed(
          file,
          chunkSize,
          (source, feed, worker) -> {
            assertThat(takeAll(feed)).isEqualTo(Files.readAllBytes(file));
            // Without the bytes of the file, only those that were read can give it.
            Digest right = Digest.Algorithm.SHA256.ofFile(file);
            Files.write(file, new byte[0]);
            assertThat(source.digest(Digest.Algorithm.SHA256)).isEqualTo(right);
          });
    } finally {
      Files.delete(file);
      Files.delete(directory);
    }
  }

  @Test
  void next_slowSender_readsBoundedBytesAhead(@TempDir Path directory) throws Exception {
    withFeed(
        file(directory, 10 * MEBIBYTE),
        CHUNK,
        (source, feed, worker) -> {
          ChunkMessage first = await(feed);
          worker.submit(() -> {}).get();
          assertThat(memory.metric().usedDirectMemory())
              .isBetween(AheadFeed.BYTES_AHEAD, AheadFeed.BYTES_AHEAD + 3 * CHUNK);
          first.release();
          assertThat(takeAll(feed)).hasSize(10 * MEBIBYTE - CHUNK);
        });
  }

  @Test
  void next_senderThatIsNeverSlower_leavesTheWorkerToOthersInTurn(@TempDir Path directory)
      throws Exception {
    ExecutorService worker = Executors.newSingleThreadExecutor();
    AtomicLong sent = new AtomicLong();
    CompletableFuture<Long> othersTurn = new CompletableFuture<>();
    try (FileSource source = FileSource.open(file(directory, 5 * MEBIBYTE))) {
      CompletableFuture<AheadFeed> feed = new CompletableFuture<>();
      CountDownLatch ended = new CountDownLatch(1);
      feed.complete(
          new AheadFeed(
              new BatchFeed(field, source, 0, source.facts().size(), CHUNK, false),
              worker,
              () -> sendAll(feed.join(), sent, ended)));
      CompletableFuture<Boolean> bothQueued = new CompletableFuture<>();
      worker.execute(bothQueued::join);
      assertThat(feed.join().next()).isNull();
      worker.execute(() -> othersTurn.complete(sent.get()));
      bothQueued.complete(true);
      assertThat(ended.await(120, TimeUnit.SECONDS)).isTrue();
      assertThat(othersTurn.get()).isLessThan(2 * MEBIBYTE);
      feed.join().close();
    } finally {
      worker.shutdown();
    }
    assertThat(sent).hasValue(5 * MEBIBYTE);
  }

  private static void sendAll(AheadFeed feed, AtomicLong sent, CountDownLatch ended) {
    try {
      for (ChunkMessage next = feed.next(); next != null; next = feed.next()) {
        next.release();
        sent.set(feed.position());
      }
    } catch (FerryException e) {
      throw new AssertionError(e);
    }
    if (feed.ended()) {
      ended.countDown();
    }
  }

  @Test
  void close_inTheMiddle_releasesWhatWasReadAhead(@TempDir Path directory) throws Exception {
    for (int taken = 0; taken < 10; taken++) {
      int count = taken;
      withFeed(
          file(directory, 3 * MEBIBYTE),
          CHUNK,
          (source, feed, worker) -> {
            for (int i = 0; i < count; i++) {
              await(feed).release();
            }
            feed.close();
            assertThat(feed.next()).isNull();
          });
    }
  }

  @Test
  void next_ofAFileThatIsCut_failsAfterTheChunksBefore(@TempDir Path directory) throws Exception {
    Path file = file(directory, 8 * MEBIBYTE);
    withFeed(
        file,
        CHUNK,
        (source, feed, worker) -> {
          await(feed).release();
          worker.submit(() -> {}).get();
          Files.write(file, new byte[MEBIBYTE]);
          assertThatExceptionOfType(FerryException.class)
              .isThrownBy(() -> takeAll(feed))
              .matches(e -> e.kind() == ErrorKind.FILE_CHANGED);
          assertThat(feed.position()).isGreaterThanOrEqualTo(AheadFeed.BYTES_AHEAD);
        });
  }

  @Test
  void next_workersThatAreClosed_isUnavailable(@TempDir Path directory) throws Exception {
    withFeed(
        file(directory, CHUNK),
        CHUNK,
        (source, feed, worker) -> {
          worker.shutdown();
          assertThatExceptionOfType(FerryException.class)
              .isThrownBy(feed::next)
              .matches(e -> e.kind() == ErrorKind.UNAVAILABLE);
        });
  }
}
