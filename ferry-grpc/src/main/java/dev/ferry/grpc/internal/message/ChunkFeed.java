package dev.ferry.grpc.internal.message;

import dev.ferry.core.FerryException;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a file's chunks, in order, for as long as it lasts; for one thread at a time.
 *
 * @param <M> the message object of the form
 */
public interface ChunkFeed<M> extends AutoCloseable {
  /** Whether all chunks were given out. */
  boolean ended();

  /**
   * The next message, which its taker sends or {@linkplain ChunkCodec#release releases}; null where
   * none is ready yet: whoever made the feed is told when there is one.
   */
  @Nullable M next() throws FerryException;

  /** Payload bytes of the messages given out. */
  long position();

  /**
   * Encoded bytes, without prefixes, of messages that rode along with others and that a tracer of
   * grpc-java did not see.
   */
  long untracedBytes();

  /** Gives up what is not sent; the file stays open. */
  @Override
  void close();
}
