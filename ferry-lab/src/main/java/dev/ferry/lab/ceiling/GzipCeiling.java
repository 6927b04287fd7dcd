package dev.ferry.lab.ceiling;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Compresses or decompresses every chunk of the source, or does both, from memory to memory. The
 * threads share the chunks. Each thread has its own codec.
 */
final class GzipCeiling implements CeilingOperation.Task {
  /** What to do with a chunk. */
  enum Step {
    /** Compress. */
    COMPRESS,
    /** Decompress. */
    DECOMPRESS,
    /** Compress, then decompress the result. */
    BOTH
  }

  private final Step step;
  private final MappedFile source;
  private final CompressedChunks compressed;
  private final long expected;
  private final List<MemberCodec> codecs = new ArrayList<>();
  private final List<Callable<Long>> workers = new ArrayList<>();
  private final ExecutorService threads;
  private final AtomicInteger next = new AtomicInteger();
  private long bytes;

  private GzipCeiling(
      Step step,
      int threads,
      CompressionCodec library,
      long size,
      MappedFile source,
      CompressedChunks compressed) {
    this.step = step;
    this.source = source;
    this.compressed = compressed;
    this.expected = step == Step.COMPRESS ? compressed.bytes() : size;
    for (int i = 0; i < threads; i++) {
      MemberCodec codec = new MemberCodec(library);
      codecs.add(codec);
      workers.add(() -> work(codec));
    }
    this.threads = Executors.newFixedThreadPool(threads);
  }

  /**
   * Creates the ceiling and compresses the source once.
   *
   * @throws IOException if the library is not available on this machine
   */
  static GzipCeiling open(Step step, int threads, CompressionCodec library, Workplace workplace)
      throws IOException {
    Optional<String> obstacle = library.obstacle();
    if (obstacle.isPresent()) {
      throw new IOException(obstacle.get());
    }

    MappedFile source = MappedFile.of(workplace.source());
    return new GzipCeiling(
        step,
        threads,
        library,
        workplace.size(),
        source,
        CompressedChunks.of(library, source, workplace));
  }

  /** Processes the remaining chunks. Returns the number of bytes produced. */
  private long work(MemberCodec codec) throws IOException {
    int chunks = source.chunks(MemberCodec.CHUNK_BYTES);
    long sum = 0;
    for (int i; (i = next.getAndIncrement()) < chunks; ) {
      sum += one(codec, i).remaining();
    }
    return sum;
  }

  private ByteBuffer one(MemberCodec codec, int i) throws IOException {
    return switch (step) {
      case COMPRESS -> codec.compress(source.chunk(i, MemberCodec.CHUNK_BYTES));
      case DECOMPRESS -> codec.decompress(compressed.member(i));
      case BOTH -> codec.decompress(codec.compress(source.chunk(i, MemberCodec.CHUNK_BYTES)));
    };
  }

  @Override
  public void prepare() {
    bytes = 0;
  }

  @Override
  public void run(int operation) throws IOException {
    next.set(0);
    try {
      long all = 0;
      for (Future<Long> sum : threads.invokeAll(workers)) {
        all += sum.get();
      }
      bytes = all;
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while it compressed");
    }
  }

  /**
   * Checks only the number of bytes. The codec has verified the CRC of every decompressed chunk.
   */
  @Override
  public void check(int operation) throws IOException {
    if (bytes != expected) {
      throw new IOException("came to " + bytes + " bytes, not " + expected);
    }
  }

  @Override
  public void close() {
    // The threads are idle or interrupted. A codec that is still in use finishes its chunk before
    // it closes.
    threads.shutdown();
    codecs.forEach(MemberCodec::close);
  }
}
