package dev.ferry.zerocopy;

import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import io.netty.util.ResourceLeakTracker;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A received message whose bytes are views of buffers that it owns. */
final class IncomingMessage<M extends MessageLite> implements BytesMessage<M> {
  @SuppressWarnings("rawtypes") // The detector takes the class as the name of what it reports.
  private static final ResourceLeakDetector<BytesMessage> LEAKS =
      ResourceLeakDetectorFactory.instance().newResourceLeakDetector(BytesMessage.class);

  /** The owner of views on the heap, and of none. */
  private static final Closeable NOBODY = () -> {};

  private final BytesField<M> field;
  private final M rest;
  private final int length;
  private final List<ByteBuffer> views;

  @SuppressWarnings("rawtypes")
  private final @Nullable ResourceLeakTracker<BytesMessage> leak;

  private @Nullable Closeable owner;

  /**
   * Takes ownership of buffers.
   *
   * @param views the bytes of the field, in order, whose positions are this message's to move
   * @param owner releases the buffers; null if they are on the heap
   */
  IncomingMessage(BytesField<M> field, M rest, List<ByteBuffer> views, @Nullable Closeable owner) {
    this.field = field;
    this.rest = rest;
    this.views = views;
    this.owner = owner == null ? NOBODY : owner;
    this.leak = owner == null ? null : LEAKS.track(this);
    int bytes = 0;
    for (int i = 0; i < views.size(); i++) {
      bytes += views.get(i).remaining();
    }
    this.length = bytes;
  }

  /** Returns whether there is anything to release. */
  boolean ownsBuffers() {
    return owner != null && owner != NOBODY;
  }

  private Closeable owned() {
    Closeable current = owner;
    if (current == null) {
      throw new IllegalStateException("the message was closed already");
    }
    return current;
  }

  /** Adds views of the bytes. Whoever uses them moves their positions, so this is called once. */
  void addViews(List<ByteBuffer> target) {
    Closeable ignored = owned();
    for (int i = 0; i < views.size(); i++) {
      if (views.get(i).hasRemaining()) {
        target.add(views.get(i));
      }
    }
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
    List<ByteBuffer> readOnly = new ArrayList<>(views.size());
    addViews(readOnly);
    readOnly.replaceAll(ByteBuffer::asReadOnlyBuffer);
    return readOnly;
  }

  @Override
  public ByteBuf toByteBuf() {
    Closeable current = owned();
    ByteBuf[] parts = buffers().stream().map(Unpooled::wrappedBuffer).toArray(ByteBuf[]::new);
    ByteBuf bytes = new OwningByteBuf(() -> close(current), parts);
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

  private static void close(Closeable owner) {
    try {
      owner.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    Closeable current = owner;
    if (current != null) {
      disown();
      close(current);
    }
  }
}
