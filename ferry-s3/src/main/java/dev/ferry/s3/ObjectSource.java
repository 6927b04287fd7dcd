package dev.ferry.s3;

import dev.ferry.core.Crc32c;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.Sha256;
import dev.ferry.core.internal.PassingDigest;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One version of an object, open for reading. After {@link #readAhead}, up to {@value #AHEAD}
 * ranges of {@value #RANGE_BYTES} bytes are requested before they are read. Thread-safe.
 */
final class ObjectSource implements FileSource {
  /** Bytes of a range. Smaller ones have more requests, larger ones need more memory. */
  static final int RANGE_BYTES = 16 << 20;

  /** Ranges that are requested at the same time. */
  static final int AHEAD = 3;

  /**
   * Bytes of a range, one at a time, while {@linkplain Slabs.Share#isScarce memory is scarce}: slow
   * clients then hold little of it.
   */
  private static final int SCARCE_BYTES = 1 << 20;

  private static final int DIGEST_BYTES = 256 * 1024;

  private final Bucket bucket;
  private final String key;
  private final FileFacts facts;
  private final Slabs.Share slabs;
  private final Executor requests;

  /** The ranges that were requested and not read yet, in the order of their positions. */
  private final Deque<RangeRead> ahead = new ArrayDeque<>();

  /** Those that read the whole file for a digest. */
  private final List<ObjectSource> digesting = new ArrayList<>();

  /** The position after the last range that was requested, and the one up to which to request. */
  private long requested;

  private long end;
  private boolean closed;
  private volatile @Nullable PassingDigest passing;

  /**
   * @param facts with a version
   * @param requests runs requests, which wait for the network
   */
  ObjectSource(Bucket bucket, String key, FileFacts facts, Slabs.Share slabs, Executor requests) {
    this.bucket = bucket;
    this.key = key;
    this.facts = facts;
    this.slabs = slabs;
    this.requests = requests;
  }

  @Override
  public FileFacts facts() {
    return facts;
  }

  @Override
  public synchronized void readAhead(long from, long to) {
    forget();
    requested = from;
    end = to;
  }

  private void forget() {
    ahead.forEach(RangeRead::release);
    ahead.clear();
  }

  @Override
  public void computeWhileReading(Digest.Algorithm algorithm) {
    passing = PassingDigest.of(algorithm);
  }

  @Override
  public void readFully(ByteBuffer destination, long position) throws FerryException {
    int start = destination.position();
    read(destination, position, destination.remaining());
    PassingDigest digest = passing;
    if (digest != null) {
      digest.add(position, destination.duplicate().position(start).limit(destination.position()));
    }
  }

  @Override
  public void readFully(ByteBuffer[] destinations, long position) throws FerryException {
    long wanted = 0;
    for (ByteBuffer destination : destinations) {
      wanted += destination.remaining();
    }
    long at = position;
    for (ByteBuffer destination : destinations) {
      int count = destination.remaining();
      read(destination, at, wanted);
      at += count;
      wanted -= count;
    }
    PassingDigest digest = passing;
    if (digest != null) {
      digest.add(position, destinations);
    }
  }

  /**
   * Fills a buffer.
   *
   * @param wanted bytes that are wanted at once, of this buffer and of later ones
   */
  private void read(ByteBuffer destination, long position, long wanted) throws FerryException {
    if (position + destination.remaining() > facts.size()) {
      throw new FerryException(
          ErrorKind.FILE_CHANGED,
          facts.name() + ": changed while it was read: it ends at byte " + facts.size());
    }
    long at = position;
    while (destination.hasRemaining()) {
      int before = destination.position();
      RangeRead range = range(at);
      if (range == null) {
        readNow(destination, at);
      } else if (range.take(destination, at, wanted - (at - position))) {
        synchronized (this) {
          if (ahead.remove(range)) {
            range.release();
          }
          request();
        }
      }
      at += destination.position() - before;
    }
  }

  /** Returns the range of a position; null if it is not read ahead. */
  private synchronized @Nullable RangeRead range(long position) throws FerryException {
    requireOpen();
    request();
    for (RangeRead range : ahead) {
      if (position >= range.from() && position < range.end()) {
        return range;
      }
    }
    return null;
  }

  private void requireOpen() throws FerryException {
    if (closed) {
      throw new FerryException(ErrorKind.CANCELLED, facts.name() + ": cancelled");
    }
  }

  /**
   * Requests as many ranges as may be ahead, and none after {@link #close}, which nobody would
   * release. Only the first one waits for memory.
   */
  private void request() throws FerryException {
    boolean scarce = slabs.isScarce();
    while (!closed && requested < end && ahead.size() < (scarce ? 1 : AHEAD)) {
      int length = (int) Math.min(scarce ? SCARCE_BYTES : RANGE_BYTES, end - requested);
      if (!ahead.isEmpty() && !slabs.has(length)) {
        return;
      }
      RangeRead range = newRange(requested, length);
      ahead.add(range);
      requested += length;
      try {
        requests.execute(range);
      } catch (RejectedExecutionException e) {
        throw new FerryException(
            ErrorKind.UNAVAILABLE, facts.name() + ": the server is closing; try again", e);
      }
    }
  }

  private RangeRead newRange(long from, int length) throws FerryException {
    String version = String.valueOf(facts.version());
    return new RangeRead(bucket, key, version, facts.name(), from, slabs, slabs.take(length));
  }

  /** Requests exactly what is wanted. */
  private void readNow(ByteBuffer destination, long position) throws FerryException {
    int length = Math.min(destination.remaining(), RANGE_BYTES);
    RangeRead range = newRange(position, length);
    try {
      range.run();
      boolean unused = range.take(destination, position, length);
    } finally {
      range.release();
    }
  }

  @Override
  public int sample(ByteBuffer destination, long position) throws FerryException {
    int wanted = (int) Math.min(destination.remaining(), facts.size() - position);
    if (wanted <= 0) {
      return 0;
    }
    int limit = destination.limit();
    destination.limit(destination.position() + wanted);
    readNow(destination, position);
    destination.limit(limit);
    return wanted;
  }

  /** All ranges were read from one version. */
  @Override
  public void verifyUnchanged() {}

  @Override
  public Digest digest(Digest.Algorithm algorithm) throws FerryException {
    PassingDigest read = passing;
    Digest complete = read == null ? null : read.of(facts.size());
    if (complete != null && complete.algorithm() == algorithm) {
      return complete;
    }
    try (ObjectSource again = again()) {
      again.readAhead(0, facts.size());
      return again.computed(algorithm);
    }
  }

  /** Returns another source of the same version, which is closed together with this one. */
  private synchronized ObjectSource again() throws FerryException {
    requireOpen();
    ObjectSource again = new ObjectSource(bucket, key, facts, slabs, requests);
    digesting.add(again);
    return again;
  }

  private Digest computed(Digest.Algorithm algorithm) throws FerryException {
    Sha256.Running sha256 = new Sha256.Running();
    CRC32C crc = new CRC32C();
    ByteBuffer buffer = ByteBuffer.allocate(DIGEST_BYTES);
    for (long at = 0; at < facts.size(); at += buffer.limit()) {
      buffer.clear().limit((int) Math.min(DIGEST_BYTES, facts.size() - at));
      read(buffer, at, buffer.limit());
      buffer.flip();
      switch (algorithm) {
        case SHA256 -> sha256.add(buffer);
        case CRC32C -> crc.update(buffer);
      }
    }
    return switch (algorithm) {
      case SHA256 -> sha256.finish();
      case CRC32C -> Crc32c.of(crc);
    };
  }

  @Override
  public synchronized void close() {
    closed = true;
    forget();
    digesting.forEach(ObjectSource::close);
  }
}
