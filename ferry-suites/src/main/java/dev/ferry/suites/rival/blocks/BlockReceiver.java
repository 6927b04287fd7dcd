package dev.ferry.suites.rival.blocks;

import dev.ferry.compress.CorruptDataException;
import dev.ferry.compress.DecompressedTooLargeException;
import dev.ferry.compress.ParallelDecompressor;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Has workers decompress the blocks of a body, several at once, and writes them in their order,
 * many with one system call. Bytes come from one thread at a time. Thread-safe.
 */
final class BlockReceiver implements AutoCloseable {
  /** Below this a write costs more than the network does. */
  private static final int GATHER_BYTES = 256 * 1024;

  /** Below the 1024 buffers that writev(2) takes (IOV_MAX). */
  private static final int GATHER_BLOCKS = 512;

  /** Maximum decompressed bytes and blocks that wait before no more are requested. */
  private static final int MOST_BYTES = 4 * 1024 * 1024;

  private static final int MOST_BLOCKS = 2 * GATHER_BLOCKS;

  /** Hears, on any thread, how the body gets on. */
  interface Listener {
    /** More bytes may come. */
    void resume();

    /** All is written; the sink is the listener's until it returns. Called once at most. */
    void written();

    /** Called on failure, at most once. The rest of the body is not needed. */
    void failed(FerryException failure);
  }

  /** A block as it came, and the bytes that it says it expands to. */
  private record Block(ByteBuf bytes, int length) {}

  private final String name;
  private final FileSink sink;
  private final BlockWorkers workers;
  private final Listener listener;
  private final BlockCutter cutter;
  private final ParallelDecompressor<Block, ByteBuf, FerryException> blocks;

  /** Decompressed and not written yet. Accessed only by the thread that writes. */
  private final List<ByteBuf> gathered = new ArrayList<>();

  private int gatheredBytes;
  private long bytesOnTheWay;
  private int blocksOnTheWay;
  private long wireBytes;
  private boolean paused;
  private boolean stopped;

  /**
   * Begins a body.
   *
   * @param name the file, for messages
   * @param sink stays the caller's to commit and close, after this is closed
   */
  BlockReceiver(String name, FileSink sink, BlockWorkers workers, Listener listener) {
    this.name = name;
    this.sink = sink;
    this.workers = workers;
    this.listener = listener;
    this.cutter =
        new BlockCutter(workers.allocator(), workers.codecs().bound(BlockFormat.MAX_CHUNK));
    this.blocks =
        new ParallelDecompressor<>(workers.threads(), new Steps(), MOST_BYTES, Long.MAX_VALUE);
  }

  /**
   * Takes bytes of the body over.
   *
   * @return whether more may come before {@link Listener#resume}
   */
  boolean receive(ByteBuf bytes) {
    try {
      return add(bytes);
    } catch (FerryException e) {
      fail(e);
      return true;
    }
  }

  private synchronized boolean add(ByteBuf bytes) throws FerryException {
    if (stopped) {
      bytes.release();
      return true;
    }
    wireBytes += bytes.readableBytes();
    cutter.add(bytes);
    for (ByteBuf block = cutter.next(); block != null; block = cutter.next()) {
      int length = takenLength(block);
      bytesOnTheWay += length;
      blocksOnTheWay++;
      blocks.add(new Block(block, length), length, block.readableBytes());
    }
    // Only a write ends a pause, and says so.
    paused |= tooManyOnTheWay();
    return !paused;
  }

  private boolean tooManyOnTheWay() {
    return bytesOnTheWay >= MOST_BYTES || blocksOnTheWay >= MOST_BLOCKS;
  }

  private int takenLength(ByteBuf block) throws FerryException {
    try {
      return statedLength(block);
    } catch (FerryException e) {
      block.release();
      throw e;
    }
  }

  private int statedLength(ByteBuf block) throws FerryException {
    try {
      long length = workers.codecs().codec().decompressedSize(block.nioBuffer()).orElse(0);
      if (length < 1 || length > BlockFormat.MAX_CHUNK) {
        throw new FerryException(
            ErrorKind.INVALID_REQUEST,
            name
                + ": a block expands to "
                + length
                + " bytes, which is not from 1 to "
                + BlockFormat.MAX_CHUNK);
      }
      return (int) length;
    } catch (CorruptDataException e) {
      throw corrupt(e);
    }
  }

  private FerryException corrupt(Exception e) {
    return new FerryException(
        ErrorKind.INVALID_REQUEST, name + ": a block is corrupt: " + e.getMessage(), e);
  }

  private final class Steps implements ParallelDecompressor.Steps<Block, ByteBuf, FerryException> {
    @Override
    public ByteBuf decompress(Block block) throws FerryException {
      ByteBuf plain = null;
      boolean done = false;
      try {
        int length = block.length();
        plain = workers.allocator().directBuffer(length, length);
        int n =
            workers
                .codecs()
                .decompress(block.bytes().nioBuffer(), plain.internalNioBuffer(0, length));
        done = true;
        return plain.writerIndex(n);
      } catch (CorruptDataException | DecompressedTooLargeException e) {
        throw corrupt(e);
      } finally {
        block.bytes().release();
        if (!done && plain != null) {
          plain.release();
        }
      }
    }

    @Override
    public void write(ByteBuf plain) throws FerryException {
      gathered.add(plain);
      gatheredBytes += plain.readableBytes();
      if (gatheredBytes >= GATHER_BYTES || gathered.size() >= GATHER_BLOCKS) {
        writeGathered();
      }
    }

    @Override
    public void ended() throws FerryException {
      writeGathered();
      listener.written();
    }

    @Override
    public void discard(Block block) {
      block.bytes().release();
    }

    @Override
    public void release(ByteBuf plain) {
      plain.release();
    }

    @Override
    public void failed(FerryException failure) {
      fail(failure);
    }

    @Override
    public FerryException broken(String what, Throwable cause) {
      return new FerryException(ErrorKind.INTERNAL, name + ": " + what, cause);
    }

    @Override
    public FerryException closed() {
      return new FerryException(ErrorKind.CANCELLED, name + ": the body was given up");
    }
  }

  private void writeGathered() throws FerryException {
    int count = gathered.size();
    if (count == 0) {
      return;
    }
    int bytes = gatheredBytes;
    ByteBuffer[] views = gathered.stream().map(ByteBuf::nioBuffer).toArray(ByteBuffer[]::new);
    try {
      sink.write(views, 0, count);
    } finally {
      releaseGathered();
    }
    boolean resume;
    synchronized (this) {
      bytesOnTheWay -= bytes;
      blocksOnTheWay -= count;
      resume = paused && !stopped && !tooManyOnTheWay();
      paused &= !resume;
    }
    if (resume) {
      listener.resume();
    }
  }

  private void releaseGathered() {
    gathered.forEach(ByteBuf::release);
    gathered.clear();
    gatheredBytes = 0;
  }

  /** Nothing more comes: the last blocks need not wait for others to be written with. */
  void end() {
    try {
      synchronized (this) {
        if (stopped) {
          return;
        }
        if (!cutter.isEmpty()) {
          throw new FerryException(
              ErrorKind.INCOMPLETE, name + ": the body ends in the middle of a block");
        }
      }
      blocks.end();
    } catch (FerryException e) {
      fail(e);
    }
  }

  private void fail(FerryException failure) {
    synchronized (this) {
      if (stopped) {
        return;
      }
      stopped = true;
    }
    listener.failed(failure);
  }

  /** Bytes of the body that came. */
  synchronized long wireBytes() {
    return wireBytes;
  }

  /**
   * Releases unwritten blocks and waits for a write in progress. After that the sink is not used.
   */
  @Override
  public void close() {
    synchronized (this) {
      stopped = true;
      cutter.close();
    }
    blocks.close();
    releaseGathered();
  }
}
