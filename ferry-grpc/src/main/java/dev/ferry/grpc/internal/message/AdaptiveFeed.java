package dev.ferry.grpc.internal.message;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.internal.Compressibility;
import org.jspecify.annotations.Nullable;

/**
 * Compresses the regions of a file that become smaller by it, and sends the others as they are.
 * gRPC marks each message as compressed or not, so a stream can have both. Thread-safe.
 */
final class AdaptiveFeed implements ChunkFeed {
  /** Bytes of a region, rounded down to whole chunks. */
  private static final int REGION_BYTES = 1024 * 1024;

  /**
   * Maximum number of regions that are looked at ahead. A higher number delays the first byte of a
   * file on a slow disk. With a lower one, the threads that compress are idle more often, because
   * they are for a moment between two feeds.
   */
  private static final int MOST_REGIONS = 16;

  /** Opens the feeds of parts of the file. */
  interface Feeds {
    /** Opens the feed of the chunks from a byte of the file to another, which is not included. */
    ChunkFeed open(long from, long to, boolean compressed);
  }

  private final FileSource source;
  private final Feeds feeds;
  private final Compressibility compressibility = new Compressibility();
  private final int regionBytes;
  private final long size;
  private @Nullable ChunkFeed current;

  /** The end of the current feed. */
  private long end;

  /** Whether the region at {@link #end} is to be compressed; null if it was not looked at. */
  private @Nullable Boolean nextCompressed;

  /** The untraced bytes of the feeds before the current one. */
  private long untraced;

  private boolean closed;

  /**
   * Creates a feed.
   *
   * @param chunkSize payload bytes of every message except the last; regions begin with a chunk
   */
  AdaptiveFeed(FileSource source, int chunkSize, Feeds feeds) {
    this.source = source;
    this.feeds = feeds;
    this.regionBytes = chunkSize * Math.max(1, REGION_BYTES / chunkSize);
    this.size = source.facts().size();
  }

  @Override
  public synchronized boolean ended() {
    return end >= size && (current == null || current.ended());
  }

  @Override
  public synchronized @Nullable ChunkMessage next() throws FerryException {
    if (closed) {
      return null;
    }
    ChunkFeed feed = current;
    if (feed == null || feed.ended()) {
      if (feed != null) {
        untraced += feed.untracedBytes();
        feed.close();
      }
      feed = open();
      current = feed;
    }
    return feed.next();
  }

  /** Opens a feed of all regions up to the next one that is to be sent in the other way. */
  private ChunkFeed open() throws FerryException {
    long from = end;
    boolean compressed = nextCompressed != null ? nextCompressed : worthwhile(from);
    int regions = 0;
    do {
      end = Math.min(size, end + regionBytes);
      nextCompressed = end < size ? worthwhile(end) : null;
      regions++;
    } while (nextCompressed != null && nextCompressed == compressed && regions < MOST_REGIONS);
    return feeds.open(from, end, compressed);
  }

  private boolean worthwhile(long region) throws FerryException {
    return compressibility.worthwhile(source, region, Math.min(regionBytes, size - region));
  }

  @Override
  public synchronized long position() {
    return current == null ? 0 : current.position();
  }

  @Override
  public synchronized long untracedBytes() {
    return untraced + (current == null ? 0 : current.untracedBytes());
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (current != null) {
      current.close();
    }
  }
}
