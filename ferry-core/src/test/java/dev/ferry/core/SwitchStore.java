package dev.ferry.core;

import dev.ferry.core.internal.ForwardingStore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that a test can exchange under a running server. */
public final class SwitchStore extends ForwardingStore {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final AtomicInteger creating = new AtomicInteger();
  private volatile FileStore current;

  public SwitchStore(FileStore first) {
    super(first);
    current = first;
  }

  @Override
  protected FileStore store() {
    return current;
  }

  @Override
  public FileFacts readNow(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    return store().readNow(path, algorithm);
  }

  @Override
  public FileSink create(StorePath path, CreateOptions options) throws FerryException {
    creating.incrementAndGet();
    try {
      return store().create(path, options);
    } finally {
      creating.decrementAndGet();
    }
  }

  /** Switches to this store, and waits, within seconds, until no file is made in the one before. */
  public void retire(FileStore next) throws InterruptedException {
    use(next);
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (creating.get() > 0 && System.nanoTime() < end) {
      Thread.sleep(1);
    }
  }

  /** Switches to this store. */
  public void use(FileStore store) {
    current = store;
  }

  /** A step of a test between the store and its user. */
  @FunctionalInterface
  public interface Step {
    FileSource apply(FileSource opened) throws Exception;
  }

  /** The same store, whose files pass through a step once they are open. */
  public static FileStore afterOpen(FileStore store, Step step) {
    return new ForwardingStore(store) {
      @Override
      public FileSource open(StorePath path) throws FerryException {
        FileSource source = super.open(path);
        try {
          return step.apply(source);
        } catch (Exception e) {
          source.close();
          throw new FerryException(ErrorKind.INTERNAL, path + ": the test's step failed", e);
        }
      }
    };
  }
}
