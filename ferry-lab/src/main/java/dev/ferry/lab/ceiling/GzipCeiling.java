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
 * Compresses, decompresses or does both with every piece of the source, memory to memory. The
 * threads take the next piece that is left, each with a codec of its own.
 */
final class GzipCeiling implements CeilingOperation.Part {
  /** What is done with a piece. */
  enum Step {
    /** Gzip. */
    COMPRESS,
    /** Gunzip. */
    DECOMPRESS,
    /** Gzip, and gunzip of what that gave. */
    BOTH
  }

  private final Step step;
  private final MappedFile source;
  private final CompressedPieces compressed;
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
      CompressedPieces compressed) {
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
   * Compresses the source once.
   *
   * @throws IOException if this machine does not have the library
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
        CompressedPieces.of(library, source, workplace));
  }

  /** Takes pieces until there is none left; gives the bytes they came to. */
  private long work(MemberCodec codec) throws IOException {
    int pieces = source.pieces(MemberCodec.PIECE_BYTES);
    long sum = 0;
    for (int i; (i = next.getAndIncrement()) < pieces; ) {
      sum += one(codec, i).remaining();
    }
    return sum;
  }

  private ByteBuffer one(MemberCodec codec, int i) throws IOException {
    return switch (step) {
      case COMPRESS -> codec.compress(source.piece(i, MemberCodec.PIECE_BYTES));
      case DECOMPRESS -> codec.decompress(compressed.member(i));
      case BOTH -> codec.decompress(codec.compress(source.piece(i, MemberCodec.PIECE_BYTES)));
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

  /** The codec has compared the CRC of every piece it decompressed. */
  @Override
  public void check(int operation) throws IOException {
    if (bytes != expected) {
      throw new IOException("came to " + bytes + " bytes, not " + expected);
    }
  }

  @Override
  public void close() {
    // Idle by now, or interrupted: then a codec in use locks itself until its piece is done.
    threads.shutdown();
    codecs.forEach(MemberCodec::close);
  }
}
