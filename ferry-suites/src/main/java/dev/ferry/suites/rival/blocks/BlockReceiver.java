package dev.ferry.suites.rival.blocks;

import dev.ferry.compress.CorruptDataException;
import dev.ferry.compress.DecompressedTooLargeException;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Has workers decompress the blocks of a body, several at once, and writes them in their order,
 * many with one system call. Bytes come from one thread at a time. Thread-safe.
 */
final class BlockReceiver implements AutoCloseable {
  /** Below this a write costs more than the network does. */
  private static final int GATHER_BYTES = 256 * 1024;

  /** Below the 1024 buffers that writev(2) takes (IOV_MAX). */
  private static final int GATHER_BLOCKS = 512;

  /** Decompressed bytes and blocks on their way, at most, before no more are asked for. */
  private static final int MOST_BYTES = 4 * 1024 * 1024;

  private static final int MOST_BLOCKS = 2 * GATHER_BLOCKS;

  /** Hears, on any thread, how the body gets on. */
  interface Listener {
    /** More bytes may come. */
    void resume();

    /** All is written; the sink is the listener's until it returns. Called once at most. */
    void written();

    /** The body is to be given up. Called once at most. */
    void failed(FerryException failure);
  }

  /** A block in the line; its fields are the receiver's to guard. */
  private static final class Slot {
    final int length;
    boolean ready;
    @Nullable ByteBuf plain;

    Slot(int length) {
      this.length = length;
    }

    void release() {
      if (plain != null) {
        plain.release();
        plain = null;
      }
    }
  }

  private final String name;
  private final FileSink sink;
  private final BlockWorkers workers;
  private final Listener listener;
  private final BlockCutter cutter;
  private final Deque<Slot> line = new ArrayDeque<>();
  private long bytesOnTheWay;
  private long wireBytes;
  private boolean paused;
  private boolean writing;
  private boolean ended;
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
        new BlockCutter(workers.allocator(), workers.codecs().bound(BlockFormat.MAX_PIECE));
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
      queue(block);
    }
    // Only a write ends a pause, and says so.
    paused |= bytesOnTheWay >= MOST_BYTES || line.size() >= MOST_BLOCKS;
    return !paused;
  }

  private void queue(ByteBuf block) throws FerryException {
    try {
      Slot slot = new Slot(statedLength(block));
      workers.execute(() -> work(slot, block));
      line.add(slot);
      bytesOnTheWay += slot.length;
    } catch (FerryException e) {
      block.release();
      throw e;
    }
  }

  private int statedLength(ByteBuf block) throws FerryException {
    try {
      long length = workers.codecs().codec().decompressedSize(block.nioBuffer()).orElse(0);
      if (length < 1 || length > BlockFormat.MAX_PIECE) {
        throw new FerryException(
            ErrorKind.INVALID_REQUEST,
            name
                + ": a block expands to "
                + length
                + " bytes, which is not from 1 to "
                + BlockFormat.MAX_PIECE);
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

  private void work(Slot slot, ByteBuf block) {
    ByteBuf plain = null;
    try {
      plain = goesOn() ? decompress(block, slot.length) : null;
    } catch (FerryException e) {
      fail(e);
    } catch (RuntimeException | Error e) {
      // An Error too, for instance no direct memory: the body must end and not wait for ever.
      fail(new FerryException(ErrorKind.INTERNAL, name + ": decompressing failed: " + e, e));
    } finally {
      block.release();
    }
    synchronized (this) {
      slot.ready = true;
      slot.plain = plain;
      if (stopped) {
        slot.release();
      }
    }
    writeWhatIsReady();
  }

  private ByteBuf decompress(ByteBuf block, int length) throws FerryException {
    ByteBuf plain = workers.allocator().directBuffer(length, length);
    try {
      int n = workers.codecs().decompress(block.nioBuffer(), plain.internalNioBuffer(0, length));
      return plain.writerIndex(n);
    } catch (CorruptDataException | DecompressedTooLargeException e) {
      plain.release();
      throw corrupt(e);
    } catch (RuntimeException | Error e) {
      plain.release();
      throw e;
    }
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
        ended = true;
      }
      workers.execute(this::writeWhatIsReady);
    } catch (FerryException e) {
      fail(e);
    }
  }

  /** Writes from the head of the line, unless another thread does so already. */
  private void writeWhatIsReady() {
    try {
      for (List<Slot> batch = take(); batch != null; batch = take()) {
        if (batch.isEmpty()) {
          try {
            listener.written();
          } finally {
            written(0);
          }
          return;
        }
        write(batch);
      }
    } catch (FerryException e) {
      fail(e);
    } catch (RuntimeException | Error e) {
      fail(new FerryException(ErrorKind.INTERNAL, name + ": writing failed: " + e, e));
    }
  }

  /**
   * Takes the blocks to write next, and the turn to do so.
   *
   * @return null where it is nobody's turn yet; no blocks where all are written
   */
  private synchronized @Nullable List<Slot> take() {
    if (writing || stopped) {
      return null;
    }
    List<Slot> batch = new ArrayList<>();
    int bytes = 0;
    for (Slot slot : line) {
      if (!slot.ready || batch.size() == GATHER_BLOCKS) {
        break;
      }
      batch.add(slot);
      bytes += slot.length;
    }
    boolean rest = ended && batch.size() == line.size();
    if (!rest && bytes < GATHER_BYTES && batch.size() < GATHER_BLOCKS) {
      return null;
    }
    batch.forEach(s -> line.remove());
    writing = true;
    if (batch.isEmpty()) {
      stopped = true;
    }
    return batch;
  }

  private void write(List<Slot> batch) throws FerryException {
    ByteBuffer[] views = new ByteBuffer[batch.size()];
    int bytes = 0;
    try {
      for (int i = 0; i < views.length; i++) {
        ByteBuf plain = batch.get(i).plain;
        if (plain != null) {
          views[i] = plain.nioBuffer();
        }
        bytes += batch.get(i).length;
      }
      sink.write(views, 0, views.length);
    } finally {
      batch.forEach(Slot::release);
      written(bytes);
    }
  }

  private void written(int bytes) {
    boolean resume;
    synchronized (this) {
      writing = false;
      bytesOnTheWay -= bytes;
      resume = paused && !stopped && bytesOnTheWay < MOST_BYTES && line.size() < MOST_BLOCKS;
      paused &= !resume;
      notifyAll();
    }
    if (resume) {
      listener.resume();
    }
  }

  private void fail(FerryException failure) {
    synchronized (this) {
      if (stopped) {
        return;
      }
      stop();
    }
    listener.failed(failure);
  }

  private synchronized boolean goesOn() {
    return !stopped;
  }

  /** Under the lock. What workers have in their hands they release themselves. */
  private void stop() {
    stopped = true;
    cutter.close();
    line.forEach(Slot::release);
    line.clear();
  }

  /** Bytes of the body that came. */
  synchronized long wireBytes() {
    return wireBytes;
  }

  /** Gives up what is not written, and waits for a write under way: then the sink is free. */
  @Override
  public synchronized void close() {
    stop();
    boolean interrupted = false;
    while (writing) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
