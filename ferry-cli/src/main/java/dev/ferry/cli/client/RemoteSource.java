package dev.ferry.cli.client;

import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.PartReceiver;
import dev.ferry.core.PartRequest;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A file of a server that is read as it arrives, to be uploaded to another server. A thread
 * downloads it from the position that is read first, and waits while the reader is slower. To read
 * somewhere else begins another download.
 */
final class RemoteSource implements FileSource {
  /** Messages that wait for the reader: a few MiB at most. */
  private static final int WAITING = 8;

  private final Carrier carrier;
  private final StorePath path;
  private final FileFacts facts;
  private final TransferOptions options;
  private @Nullable Arrival arrival;
  private long position;

  /**
   * @param facts of the file, with its version and the digest that is to be compared
   * @param options those of the download
   */
  RemoteSource(Carrier carrier, StorePath path, FileFacts facts, TransferOptions options) {
    this.carrier = carrier;
    this.path = path;
    this.facts = facts;
    this.options =
        options
            .withCompression(null)
            .withDigest(null)
            .withRateLimit(null)
            .withProgress(TransferOptions.Progress.NONE);
  }

  @Override
  public FileFacts facts() {
    return facts;
  }

  /** The digest is that of the server, so that it covers the whole way. */
  @Override
  public void computeWhileReading(Digest.Algorithm algorithm) {}

  @Override
  public synchronized void readFully(ByteBuffer destination, long from) throws FerryException {
    if (arrival == null || from != position) {
      close();
      position = from;
      arrival = new Arrival(from);
    }
    while (destination.hasRemaining()) {
      position += arrival.read(destination);
    }
  }

  @Override
  public void readFully(ByteBuffer[] destinations, long from) throws FerryException {
    long next = from;
    for (ByteBuffer destination : destinations) {
      int length = destination.remaining();
      readFully(destination, next);
      next += length;
    }
  }

  @Override
  public int sample(ByteBuffer destination, long from) throws FerryException {
    int length = (int) Math.min(destination.remaining(), facts.size() - from);
    readFully(destination.slice().limit(length), from);
    destination.position(destination.position() + length);
    return length;
  }

  /** All parts were of one version, or there is none, and the digest shows a change. */
  @Override
  public void verifyUnchanged() {}

  @Override
  public Digest digest(Digest.Algorithm algorithm) throws FerryException {
    Digest known = facts.digest(algorithm);
    return algorithm.requireGiven(
        known == null ? carrier.stat(path, algorithm, options.limits()).digest(algorithm) : known,
        path.value());
  }

  @Override
  public synchronized void close() {
    if (arrival != null) {
      arrival.interrupt();
      arrival = null;
    }
  }

  /** Downloads the file from one position on. */
  private final class Arrival extends Thread implements PartReceiver, FileSink {
    private final BlockingQueue<ByteBuffer> waiting = new ArrayBlockingQueue<>(WAITING);
    private final long from;
    private ByteBuffer current = ByteBuffer.allocate(0);
    private volatile @Nullable FerryException failure;
    private volatile boolean ended;
    private long written;

    Arrival(long from) {
      super("ferry-copy");
      this.from = from;
      setDaemon(true);
      start();
    }

    @Override
    public void run() {
      try {
        carrier.download(path, this, options);
      } catch (FerryException e) {
        failure = e;
      } catch (RuntimeException | Error e) {
        failure = new FerryException(ErrorKind.INTERNAL, path + ": cannot be read: " + e, e);
      } finally {
        ended = true;
      }
    }

    @Override
    public PartRequest wanted() {
      return new PartRequest(from, facts.size() - from, facts.version());
    }

    @Override
    public boolean mayWait() {
      return true;
    }

    /** Reads some bytes, as soon as there are any. */
    int read(ByteBuffer destination) throws FerryException {
      while (!current.hasRemaining()) {
        boolean last = ended;
        ByteBuffer next = waiting.poll();
        if (next == null && last) {
          FerryException failed = failure;
          throw failed == null
              ? new FerryException(ErrorKind.INCOMPLETE, path + ": ended before its last byte")
              : failed;
        }
        current = next == null ? await() : next;
      }
      int length = Math.min(current.remaining(), destination.remaining());
      destination.put(current.slice().limit(length));
      current.position(current.position() + length);
      return length;
    }

    /** Waits a moment for bytes. */
    private ByteBuffer await() throws FerryException {
      try {
        ByteBuffer next = waiting.poll(100, TimeUnit.MILLISECONDS);
        return next == null ? current : next;
      } catch (InterruptedException e) {
        throw FerryException.interrupted(path + ": cancelled", e);
      }
    }

    @Override
    public FileSink part(FileFacts whole, long length) {
      return this;
    }

    @Override
    public FileSink whole(FileFacts whole) throws FerryException {
      if (from == 0) {
        return this;
      }
      throw new FerryException(
          ErrorKind.INCOMPLETE,
          path + ": the server sends no parts, so the transfer cannot resume");
    }

    @Override
    public void expect(long size) {}

    @Override
    public void checkExpansion(long arrived) {}

    @Override
    public long written() {
      return written;
    }

    @Override
    public void write(ByteBuffer source) throws FerryException {
      ByteBuffer copy = ByteBuffer.allocate(source.remaining()).put(source).flip();
      int length = copy.remaining();
      try {
        waiting.put(copy);
        written += length;
      } catch (InterruptedException e) {
        throw FerryException.interrupted(path + ": cancelled", e);
      }
    }

    @Override
    public FileFacts commit(long expectedSize, @Nullable Digest expectedDigest) {
      return facts;
    }

    @Override
    public void close() {}
  }
}
