package dev.ferry.http.internal.server;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.TransferOptions.Progress;
import dev.ferry.core.internal.Pace;
import dev.ferry.http.internal.Closing;
import dev.ferry.wire.internal.contract.ByteRange;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file, or a part of it, sent with {@code sendfile}: its bytes do not enter this process.
 *
 * <p>The tail is sent only after a check, made after the rest was sent, that the file is unchanged.
 * A modified file is therefore never sent as if it were complete. A change after this check, while
 * pages of the file still wait in the socket, can be detected only by the digest.
 */
final class PlainDownload implements BodySender {
  private static final Logger LOG = LoggerFactory.getLogger(PlainDownload.class);
  private static final long TAIL_BYTES = 16 * 1024;

  private final ChannelHandlerContext context;
  private final FileSource source;
  private final ByteRange part;
  private final long slice;
  private final @Nullable Pace pace;
  private final Progress progress;
  private final Listener listener;

  /** The position in the file of the next byte to send. */
  private long position;

  /**
   * @param part the bytes of the file to send
   * @param slice bytes to send at once at most
   * @param pace runs on the event loop what goes on; null for no limit
   * @param progress receives the position in the file when the file was sent or could not be
   */
  PlainDownload(
      ChannelHandlerContext context,
      FileSource source,
      ByteRange part,
      long slice,
      @Nullable Pace pace,
      Progress progress,
      Listener listener) {
    this.context = context;
    this.source = source;
    this.part = part;
    this.slice = slice;
    this.pace = pace;
    this.position = part.first();
    this.progress = progress;
    this.listener = listener;
  }

  @Override
  public void start() {
    if (pace != null && !pace.mayGoOn(this::startUnlessClosed)) {
      return;
    }
    long end = part.first() + part.length();
    long tail = Math.min(part.length(), TAIL_BYTES);
    long rest = end - tail - position;
    if (rest <= 0) {
      sendTail(position, tail);
      return;
    }
    long next = Math.min(rest, slice);
    Region region = new Region(source, position, next);
    boolean first = position == part.first();
    if (first) {
      cork(true);
    }
    context
        .writeAndFlush(region)
        .addListener(
            f -> {
              if (first && f.isSuccess()) {
                cork(false);
              }
              progress.update(position + region.transferred(), end);
              position += next;
              count();
              sent(((ChannelFuture) f).cause());
            });
  }

  /** Goes on after a wait. The connection may just have been closed. */
  private void startUnlessClosed() {
    if (context.channel().isActive()) {
      start();
    } else {
      end(new ClosedChannelException());
    }
  }

  @Override
  public void gone() {
    if (pace != null && pace.cancel()) {
      end(new ClosedChannelException());
    }
  }

  private void count() {
    if (pace != null) {
      pace.moved(position - part.first());
    }
  }

  /** Has the kernel wait for full segments: the head would else leave in one of its own. */
  private void cork(boolean on) {
    // The number of a closed socket may be that of another connection.
    if (pace == null
        && context.channel() instanceof EpollSocketChannel channel
        && channel.isOpen()) {
      try {
        channel.config().setTcpCork(on);
      } catch (ChannelException e) {
        LOG.debug("the connection is lost, which the next write will say", e);
      }
    }
  }

  private void sent(@Nullable Throwable failure) {
    if (failure == null) {
      start();
    } else {
      end(failure);
    }
  }

  private void sendTail(long at, long bytes) {
    try {
      source.verifyUnchanged();
    } catch (FerryException e) {
      end(e);
      return;
    }
    position += bytes;
    count();
    if (bytes > 0) {
      context.write(new Region(source, at, bytes), context.voidPromise());
    }
    context
        .writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
        .addListener(
            f -> {
              progress.update(at + bytes, at + bytes);
              end(((ChannelFuture) f).cause());
            });
  }

  private void end(@Nullable Throwable failure) {
    Closing.quietly(source);
    if (failure == null) {
      listener.sent();
    } else {
      listener.failed(failure);
    }
  }

  /** A region of a file that stays open when the region is released. */
  private static final class Region extends DefaultFileRegion {
    Region(FileSource source, long position, long count) {
      super(Objects.requireNonNull(source.channel(), "a local file"), position, count);
    }

    @Override
    protected void deallocate() {
      // The source is closed after all regions were sent.
    }
  }
}
