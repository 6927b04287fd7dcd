package dev.ferry.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.internal.ForwardingSink;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadId;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A store that waits for a network, or does as if. It notes each call on an event loop of a server,
 * and what is left open.
 */
public final class RemoteStore extends ForwardingStore {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

  private final Set<Thread> loops = ConcurrentHashMap.newKeySet();
  private final Queue<Throwable> mistakes = new ConcurrentLinkedQueue<>();
  private final AtomicInteger open = new AtomicInteger();

  public RemoteStore(FileStore store) {
    super(store);
  }

  /** Names threads that must not call the store. */
  public RemoteStore spare(Iterable<? extends ScheduledExecutorService> eventLoops)
      throws Exception {
    for (ScheduledExecutorService loop : eventLoops) {
      loops.add(loop.submit(Thread::currentThread).get());
    }
    return this;
  }

  /** Allows all threads to call the store: those of a server that stops serve nobody else. */
  public void spareNone() {
    loops.clear();
  }

  /** Checks that no event loop has called the store since the last check. */
  public void assertSpared() {
    List<Throwable> noted = new ArrayList<>();
    for (Throwable mistake = mistakes.poll(); mistake != null; mistake = mistakes.poll()) {
      noted.add(mistake);
    }
    assertThat(noted).as("calls on event loops").isEmpty();
  }

  /** Waits, within seconds, until all sources, sinks and listings are closed. */
  public void awaitNothingOpen() throws InterruptedException {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (open.get() > 0 && System.nanoTime() < end) {
      Thread.sleep(2);
    }
    assertThat(open).as("sources, sinks and listings left open").hasValue(0);
  }

  private void called() {
    if (loops.contains(Thread.currentThread())) {
      mistakes.add(new AssertionError("called on " + Thread.currentThread().getName()));
    }
  }

  /** Counts what is open until it is closed first. */
  private final class Opened {
    private final AtomicBoolean closed = new AtomicBoolean();

    Opened() {
      open.incrementAndGet();
    }

    void closed() {
      if (closed.compareAndSet(false, true)) {
        open.decrementAndGet();
      }
    }
  }

  @Override
  public boolean isRemote() {
    return true;
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    called();
    return super.stat(path, digest);
  }

  @Override
  public FileFacts stat(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    called();
    return store().stat(path, algorithm);
  }

  @Override
  public FileFacts readNow(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    called();
    return store().readNow(path, algorithm);
  }

  @Override
  public Listing list(StorePath directory) throws FerryException {
    called();
    Listing listing = super.list(directory);
    Opened opened = new Opened();
    return new Listing() {
      @Override
      public @Nullable FileFacts next() throws FerryException {
        called();
        return listing.next();
      }

      @Override
      public void close() {
        listing.close();
        opened.closed();
      }
    };
  }

  @Override
  public FileSource open(StorePath path) throws FerryException {
    called();
    return new Source(super.open(path));
  }

  @Override
  public FileSink create(StorePath path, CreateOptions options) throws FerryException {
    called();
    return new Sink(super.create(path, options));
  }

  @Override
  public void delete(StorePath path, @Nullable String version) throws FerryException {
    called();
    super.delete(path, version);
  }

  @Override
  public void move(StorePath source, StorePath target, boolean replace) throws FerryException {
    called();
    super.move(source, target, replace);
  }

  @Override
  public void makeDirectory(StorePath path, boolean parents, @Nullable Integer mode)
      throws FerryException {
    called();
    super.makeDirectory(path, parents, mode);
  }

  @Override
  public KeptUpload upload(UploadId id) throws FerryException {
    called();
    return super.upload(id);
  }

  @Override
  public void cancelUpload(UploadId id) throws FerryException {
    called();
    super.cancelUpload(id);
  }

  private final class Source extends ForwardingSource {
    private final Opened opened = new Opened();

    Source(FileSource source) {
      super(source);
    }

    @Override
    public @Nullable FileChannel channel() {
      return null;
    }

    @Override
    public void readFully(ByteBuffer destination, long position) throws FerryException {
      called();
      super.readFully(destination, position);
    }

    @Override
    public void readFully(ByteBuffer[] destinations, long position) throws FerryException {
      called();
      super.readFully(destinations, position);
    }

    @Override
    public int sample(ByteBuffer destination, long position) throws FerryException {
      called();
      return super.sample(destination, position);
    }

    @Override
    public void verifyUnchanged() throws FerryException {
      called();
      super.verifyUnchanged();
    }

    @Override
    public Digest digest(Digest.Algorithm algorithm) throws FerryException {
      called();
      return super.digest(algorithm);
    }

    @Override
    public void close() throws FerryException {
      called();
      super.close();
      opened.closed();
    }
  }

  private final class Sink extends ForwardingSink {
    private final Opened opened = new Opened();

    Sink(FileSink sink) {
      super(sink);
    }

    @Override
    public void expect(long size) throws FerryException {
      called();
      super.expect(size);
    }

    @Override
    public boolean expectDigest(Digest.Algorithm algorithm, Executor executor) {
      called();
      return super.expectDigest(algorithm, executor);
    }

    @Override
    public boolean commitsSlowly() {
      return true;
    }

    @Override
    public void write(ByteBuffer source) throws FerryException {
      called();
      super.write(source);
    }

    @Override
    public void write(ByteBuffer[] sources, int offset, int count) throws FerryException {
      called();
      super.write(sources, offset, count);
    }

    @Override
    public FileFacts commit(long expectedSize, @Nullable Digest expectedDigest)
        throws FerryException {
      called();
      return super.commit(expectedSize, expectedDigest);
    }

    @Override
    public void close() throws FerryException {
      called();
      super.close();
      opened.closed();
    }
  }
}
