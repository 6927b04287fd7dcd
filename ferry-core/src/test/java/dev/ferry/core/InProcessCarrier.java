package dev.ferry.core;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
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
final class InProcessCarrier extends StubCarrier {
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
  public Transfer download(StorePath path, PartReceiver receiver, TransferOptions options)
      throws FerryException {
    return call(
        options,
        () -> {
          try (FileSource source = store.open(StorePath.parse(path.value()))) {
            FileFacts facts = source.facts();
            PartRequest part = receiver.wanted();
            if (part == null) {
              try (FileSink sink = receiver.whole(facts)) {
                return copy(source, 0, facts.size(), sink, options);
              }
            }
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
  public Transfer upload(FileSource source, StorePath path, TransferOptions options)
      throws FerryException {
    return call(
        options,
        () -> {
          CreateOptions create =
              options
                  .create()
                  .withUpload(null)
                  .withLastModified(source.facts().lastModified())
                  .withMode(options.sent(source.facts()).mode());
          try (FileSink sink = store.create(StorePath.parse(path.value()), create)) {
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
  public FileFacts stat(StorePath path, Digest.@Nullable Algorithm digest, CallLimits limits)
      throws FerryException {
    StorePath parsed = StorePath.parseDirectory(path.value());
    return call(
        TransferOptions.DEFAULT,
        () -> digest == null ? store.stat(parsed, false) : store.stat(parsed, digest));
  }

  @Override
  public FileFacts readNow(StorePath path, long size, Digest.Algorithm digest, CallLimits limits)
      throws FerryException {
    StorePath parsed = StorePath.parse(path.value());
    return call(TransferOptions.DEFAULT, () -> store.readNow(parsed, digest));
  }

  @Override
  public boolean list(
      StorePath directory, boolean tree, Predicate<FileFacts> entries, CallLimits limits)
      throws FerryException {
    StorePath parsed = StorePath.parseDirectory(directory.value());
    return call(
        TransferOptions.DEFAULT,
        () -> {
          try (Listing listing = tree ? store.listTree(parsed) : store.list(parsed)) {
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
  public void change(Change change, CallLimits limits) throws FerryException {
    StorePath path = StorePath.parse(change.path().value());
    boolean unused =
        call(
            TransferOptions.DEFAULT,
            () -> {
              if (change instanceof Change.Delete delete) {
                store.delete(path, delete.version());
              } else if (change instanceof Change.Move move) {
                store.move(path, move.target(), move.replace());
              } else if (change instanceof Change.MakeDirectory made) {
                store.makeDirectory(path, made.parents(), made.mode());
              } else if (change instanceof Change.MakeLink link) {
                store.makeLink(path, link.target(), link.replace());
              }
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
