package dev.ferry.core;

import dev.ferry.core.local.LocalFileSink;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** The plainest carrier there can be: both ends in one loop, chunk by chunk. */
final class InProcessCarrier implements Carrier {
  private final FileStore store;
  private final ExecutorService executor = Executors.newCachedThreadPool();
  private volatile boolean serverAlive = true;

  InProcessCarrier(FileStore store) {
    this.store = store;
  }

  void killServer() {
    serverAlive = false;
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    return download(path, facts -> LocalFileSink.create(target, options.sink(facts)), options);
  }

  @Override
  public Transfer download(StorePath path, PartReceiver receiver, TransferOptions options)
      throws FerryException {
    return call(
        options,
        () -> {
          try (FileSource source = store.open(StorePath.parse(path.value()));
              FileSink sink = receiver.whole(source.facts())) {
            return copy(source, 0, source.facts().size(), sink, options);
          }
        });
  }

  @Override
  public Transfer downloadPart(
      StorePath path, PartRequest part, PartReceiver receiver, TransferOptions options)
      throws FerryException {
    return call(
        options,
        () -> {
          try (FileSource source = store.open(StorePath.parse(path.value()))) {
            FileFacts facts = source.facts();
            if (part.version() != null && !part.version().equals(facts.version())) {
              throw new FerryException(ErrorKind.VERSION_MISMATCH, path + ": another version");
            }
            if (part.offset() > 0 && part.offset() >= facts.size()) {
              throw new FerryException(ErrorKind.INVALID_REQUEST, path + ": no such part");
            }
            long end = Math.min(facts.size(), part.offset() + part.length());
            try (FileSink sink = receiver.part(facts, end - part.offset())) {
              return copy(source, part.offset(), end, sink, options.withDigest(null));
            }
          }
        });
  }

  @Override
  public Transfer upload(Path file, StorePath path, TransferOptions options) throws FerryException {
    return call(
        options,
        () -> {
          try (FileSource source = FileSource.open(file);
              FileSink sink =
                  store.create(
                      StorePath.parse(path.value()),
                      options
                          .create()
                          .withLastModified(source.facts().lastModified())
                          .withExecutable(Boolean.TRUE.equals(source.facts().executable())))) {
            return copy(source, 0, source.facts().size(), sink, options);
          }
        });
  }

  private Transfer copy(
      FileSource source, long from, long to, FileSink sink, TransferOptions options)
      throws IOException {
    long size = to - from;
    long wireBytes = 0;
    Digest.Algorithm algorithm = options.digest();
    if (algorithm != null) {
      source.computeWhileReading(algorithm);
      sink.expectDigest(algorithm, executor);
    }
    options.progress().update(0, size);
    ByteBuffer chunk = ByteBuffer.allocate(options.chunkSize());
    for (long at = from; at < to; at += chunk.limit()) {
      requireServer();
      chunk.clear().limit((int) Math.min(chunk.capacity(), to - at));
      source.readFully(chunk, at);
      byte[] wire = options.gzip() ? gzip(chunk.flip()) : bytes(chunk.flip());
      wireBytes += wire.length;
      sink.write(ByteBuffer.wrap(options.gzip() ? gunzip(wire) : wire));
      options.progress().update(sink.written(), size);
    }
    source.verifyUnchanged();
    Digest digest = algorithm == null ? null : source.facts().digest(algorithm);
    if (digest == null && algorithm != null) {
      digest = source.digest(algorithm);
    }
    FileFacts facts = sink.commit(size, digest);
    return new Transfer(facts, wireBytes, "in-process", options.gzip() ? "gzip" : "identity");
  }

  private static byte[] bytes(ByteBuffer chunk) {
    byte[] bytes = new byte[chunk.remaining()];
    chunk.duplicate().get(bytes);
    return bytes;
  }

  private static byte[] gzip(ByteBuffer chunk) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes(chunk));
    }
    return out.toByteArray();
  }

  private static byte[] gunzip(byte[] bytes) throws IOException {
    try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return gzip.readAllBytes();
    }
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    return call(
        TransferOptions.DEFAULT, () -> store.stat(StorePath.parseDirectory(path.value()), digest));
  }

  @Override
  public FileFacts stat(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    return call(
        TransferOptions.DEFAULT,
        () -> store.stat(StorePath.parseDirectory(path.value()), algorithm));
  }

  @Override
  public void limitCalls(TransferOptions limits) {}

  @Override
  public void list(StorePath directory, Predicate<FileFacts> entries) throws FerryException {
    list(directory, store::list, entries);
  }

  @Override
  public boolean listTree(StorePath directory, Predicate<FileFacts> entries) throws FerryException {
    list(directory, store::listTree, entries);
    return true;
  }

  @FunctionalInterface
  private interface Lister {
    Listing open(StorePath directory) throws FerryException;
  }

  private void list(StorePath directory, Lister lister, Predicate<FileFacts> entries)
      throws FerryException {
    boolean ignored =
        call(
            TransferOptions.DEFAULT,
            () -> {
              try (Listing listing = lister.open(StorePath.parseDirectory(directory.value()))) {
                FileFacts entry = listing.next();
                while (entry != null && entries.test(entry)) {
                  requireServer();
                  requireClient();
                  entry = listing.next();
                }
                return true;
              }
            });
  }

  @Override
  public void delete(StorePath path, @Nullable String version) throws FerryException {
    change(() -> store.delete(StorePath.parse(path.value()), version));
  }

  @Override
  public void move(StorePath source, StorePath target, boolean replace) throws FerryException {
    change(() -> store.move(StorePath.parse(source.value()), target, replace));
  }

  @Override
  public void makeDirectory(StorePath path, boolean parents) throws FerryException {
    change(() -> store.makeDirectory(StorePath.parse(path.value()), parents));
  }

  @Override
  public void makeLink(StorePath path, String target, boolean replace) throws FerryException {
    change(() -> store.makeLink(StorePath.parse(path.value()), target, replace));
  }

  @FunctionalInterface
  private interface Change {
    void run() throws FerryException;
  }

  private void change(Change change) throws FerryException {
    boolean ignored =
        call(
            TransferOptions.DEFAULT,
            () -> {
              change.run();
              return true;
            });
  }

  private void requireServer() throws FerryException {
    if (!serverAlive) {
      throw new FerryException(ErrorKind.UNAVAILABLE, "the server was killed");
    }
  }

  private static void requireClient() throws FerryException {
    if (Thread.currentThread().isInterrupted()) {
      throw new FerryException(ErrorKind.CANCELLED, "the client gave up");
    }
  }

  /** The work runs on another thread, which an interrupt or the deadline interrupts. */
  private <T> T call(TransferOptions options, Callable<T> work) throws FerryException {
    requireServer();
    Future<T> future = executor.submit(work);
    try {
      return options.timeout() == null
          ? future.get()
          : future.get(options.timeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException | CancellationException e) {
      throw new FerryException(ErrorKind.CANCELLED, "interrupted", e);
    } catch (TimeoutException e) {
      throw new FerryException(ErrorKind.DEADLINE_EXCEEDED, "not done in time", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IllegalStateException caller) {
        throw caller;
      }
      throw e.getCause() instanceof IOException io
          ? FerryException.of(io, "in-process")
          : new FerryException(ErrorKind.INTERNAL, String.valueOf(e.getCause()), e);
    } finally {
      future.cancel(true);
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
