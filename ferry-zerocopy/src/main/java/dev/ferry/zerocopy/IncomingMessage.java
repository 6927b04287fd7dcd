package dev.ferry.zerocopy;

import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import io.netty.util.ResourceLeakTracker;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A received message whose bytes are views of buffers that it owns. */
final class IncomingMessage<M extends MessageLite> implements BytesMessage<M> {
  @SuppressWarnings("rawtypes") // The detector takes the class as the name of what it reports.
  private static final ResourceLeakDetector<BytesMessage> LEAKS =
      ResourceLeakDetectorFactory.instance().newResourceLeakDetector(BytesMessage.class);

  private final BytesField<M> field;
  private final M rest;
  private final int length;
  private final List<ByteBuffer> views;

  @SuppressWarnings("rawtypes")
  private final @Nullable ResourceLeakTracker<BytesMessage> leak;

  private @Nullable Runnable owner;

  /**
   * Takes ownership of buffers.
   *
   * @param views the bytes of the field, read-only
   * @param owner releases the buffers, once
   */
  IncomingMessage(BytesField<M> field, M rest, int length, List<ByteBuffer> views, Runnable owner) {
    this.field = field;
    this.rest = rest;
    this.length = length;
    this.views = views;
    this.owner = owner;
    this.leak = LEAKS.track(this);
  }

  static List<ByteBuffer> readOnly(ByteBuffer[] buffers) {
    ByteBuffer[] views = new ByteBuffer[buffers.length];
    Arrays.setAll(views, i -> buffers[i].asReadOnlyBuffer());
    return List.of(views);
  }

  private Runnable owned() {
    Runnable current = owner;
    if (current == null) {
      throw new IllegalStateException("the message was closed already");
    }
    return current;
  }

  @Override
  public M rest() {
    return rest;
  }

  @Override
  public boolean hasBytes() {
    return true;
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public List<ByteBuffer> buffers() {
    Runnable ignored = owned();
    return views;
  }

  @Override
  public ByteBuf toByteBuf() {
    Runnable current = owned();
    ByteBuf[] parts = new ByteBuf[views.size()];
    Arrays.setAll(parts, i -> Unpooled.wrappedBuffer(views.get(i)));
    ByteBuf bytes = new OwningByteBuf(current, parts);
    disown();
    return bytes;
  }

  @Override
  public M message() {
    return field.withBytes(rest, buffers());
  }

  private void disown() {
    owner = null;
    if (leak != null) {
      leak.close(this);
    }
  }

  @Override
  public void close() {
    Runnable current = owner;
    if (current != null) {
      disown();
      current.run();
    }
  }
}
