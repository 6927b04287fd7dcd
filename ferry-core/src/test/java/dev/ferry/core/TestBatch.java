package dev.ferry.core;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A batch that keeps what comes of its items, by their path. Thread-safe. */
public final class TestBatch implements TransferBatch {
  private final Deque<Item> left = new ArrayDeque<>();
  private final Map<String, Object> results = new TreeMap<>();
  private final boolean uploads;
  private @Nullable FerryException end;

  private TestBatch(boolean uploads) {
    this.uploads = uploads;
  }

  public static TestBatch ofUploads() {
    return new TestBatch(true);
  }

  public static TestBatch ofDownloads() {
    return new TestBatch(false);
  }

  /** Adds a file. */
  public synchronized TestBatch add(StorePath path, Path file, long size, TransferOptions options) {
    left.add(
        new Item() {
          @Override
          public StorePath path() {
            return path;
          }

          @Override
          public Path file() {
            return file;
          }

          @Override
          public boolean isUpload() {
            return uploads;
          }

          @Override
          public long size() {
            return size;
          }

          @Override
          public TransferOptions options() {
            return options;
          }

          @Override
          public void done(Transfer transfer) {
            put(path.value(), transfer);
          }

          @Override
          public void failed(FerryException failure) {
            put(path.value(), failure);
          }
        });
    return this;
  }

  /** Has the batch end with a failure where it has no more items. */
  public synchronized TestBatch endingWith(FerryException failure) {
    end = failure;
    return this;
  }

  private synchronized void put(String path, Object result) {
    if (results.putIfAbsent(path, result) != null) {
      throw new AssertionError(path + ": has two results");
    }
  }

  @Override
  public synchronized @Nullable Item next(boolean wait) throws FerryException {
    if (left.isEmpty() && end != null) {
      throw end;
    }
    return left.poll();
  }

  /** The {@link Transfer} or the {@link FerryException} of each path that is over. */
  public synchronized Map<String, Object> results() {
    return new TreeMap<>(results);
  }

  /** The failure of a path; null if it was transferred. */
  public @Nullable FerryException failure(String path) {
    return results().get(path) instanceof FerryException e ? e : null;
  }
}
