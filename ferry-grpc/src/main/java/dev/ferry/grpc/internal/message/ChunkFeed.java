package dev.ferry.grpc.internal.message;

import dev.ferry.core.FerryException;
import org.jspecify.annotations.Nullable;

/** The chunks of a file as messages, in order. For one thread at a time. */
public interface ChunkFeed extends AutoCloseable {
  /** Returns whether {@link #next} has returned all chunks. */
  boolean ended();

  /**
   * Returns the next message, or null if none is ready yet. The creator of the feed is notified
   * when a message is ready. The caller must send or {@linkplain ChunkMessage#release release} the
   * message.
   */
  @Nullable ChunkMessage next() throws FerryException;

  /** Returns the payload bytes of the messages returned so far. */
  long position();

  /**
   * Returns the encoded bytes, without prefixes, of messages that were sent together with others
   * and that no grpc-java tracer has counted.
   */
  long untracedBytes();

  /** Releases what has not been sent. The file stays open. */
  @Override
  void close();
}
