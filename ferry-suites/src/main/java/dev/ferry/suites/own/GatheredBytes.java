package dev.ferry.suites.own;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Writes the bytes of many messages at once.
 *
 * @param <M> a message
 */
public final class GatheredBytes<M> implements BytesWriter<M> {
  private static final int GATHER_BYTES = 256 * 1024;

  /** The system permits 1024 in one call. */
  private static final int GATHER_BUFFERS = 512;

  private final Function<M, ByteString> bytesOf;
  private final Consumer<M> release;
  private final List<M> held = new ArrayList<>();
  private final List<ByteBuffer> views = new ArrayList<>();
  private int bytes;

  /**
   * Creates a writer.
   *
   * @param release gets each message once, when it is no longer used
   */
  public GatheredBytes(Function<M, ByteString> bytesOf, Consumer<M> release) {
    this.bytesOf = bytesOf;
    this.release = release;
  }

  @Override
  public int write(M message, FileChannel channel) throws IOException {
    ByteString data = bytesOf.apply(message);
    held.add(message);
    views.addAll(data.asReadOnlyByteBufferList());
    bytes += data.size();
    if (bytes >= GATHER_BYTES || views.size() >= GATHER_BUFFERS) {
      flush(channel);
    }
    return data.size();
  }

  @Override
  public void flush(FileChannel channel) throws IOException {
    ByteBuffer[] batch = views.toArray(ByteBuffer[]::new);
    for (long left = bytes; left > 0; ) {
      left -= channel.write(batch);
    }
    discard();
  }

  @Override
  public void release(M message) {
    release.accept(message);
  }

  @Override
  public void discard() {
    views.clear();
    bytes = 0;
    held.forEach(release);
    held.clear();
  }
}
