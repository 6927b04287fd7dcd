package dev.ferry.suites.own;

import com.google.protobuf.MessageLite;
import dev.ferry.zerocopy.BytesMessage;
import dev.ferry.zerocopy.GatheringWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/**
 * Writes the views of what arrived, and then requires that something holds.
 *
 * @param <M> the message beside its bytes
 */
public final class ViewedBytes<M extends MessageLite> implements BytesWriter<BytesMessage<M>> {
  private final Requirement requirement;
  private @Nullable GatheringWriter<IOException> writer;

  /** What has to hold when all is written. */
  @FunctionalInterface
  public interface Requirement {
    /**
     * Checks it.
     *
     * @throws IOException if it does not hold, with a one-line description
     */
    void check() throws IOException;
  }

  /** Creates a writer. */
  public ViewedBytes(Requirement requirement) {
    this.requirement = requirement;
  }

  @Override
  public void update(Checksum sum, BytesMessage<M> message) {
    message.buffers().forEach(sum::update);
  }

  @Override
  public int write(BytesMessage<M> message, FileChannel channel) throws IOException {
    if (writer == null) {
      writer = GatheringWriter.to(channel);
    }
    int length = message.length();
    writer.write(message);
    return length;
  }

  @Override
  public void flush(FileChannel channel) throws IOException {
    if (writer != null) {
      writer.flush();
    }
    requirement.check();
  }

  @Override
  public void release(BytesMessage<M> message) {
    message.close();
  }

  @Override
  public void discard() {
    if (writer != null) {
      writer.close();
    }
  }
}
