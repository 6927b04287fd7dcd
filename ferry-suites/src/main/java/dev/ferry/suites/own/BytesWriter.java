package dev.ferry.suites.own;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.function.Function;
import java.util.zip.Checksum;

/**
 * How the bytes of received messages get into a file. For one file, and for one thread at a time.
 *
 * @param <M> a message
 */
@FunctionalInterface
public interface BytesWriter<M> {
  /** Returns a writer of an array of the bytes of each message, as most people write it. */
  static <M> BytesWriter<M> arrays(Function<M, ByteString> bytes) {
    return (message, channel) -> {
      ByteString data = bytes.apply(message);
      Channels.newOutputStream(channel).write(data.toByteArray());
      return data.size();
    };
  }

  /**
   * Takes a message over, writes its bytes, at the latest when it is flushed, and returns their
   * number.
   */
  int write(M message, FileChannel channel) throws IOException;

  /** Updates a checksum with the bytes of a message that is not written yet. */
  default void update(Checksum sum, M message) {
    throw new UnsupportedOperationException("no row of this writer is verified");
  }

  /** Writes what is not written yet. */
  default void flush(FileChannel channel) throws IOException {}

  /** Releases a message that is not written. */
  default void release(M message) {}

  /** Releases all messages that are not written. */
  default void discard() {}
}
