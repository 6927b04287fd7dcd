package dev.ferry.http.internal.server;

import dev.ferry.contract.ByteRange;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSource;
import dev.ferry.core.TransferOptions.Progress;
import dev.ferry.http.internal.Closing;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.DefaultFileRegion;
import io.netty.handler.codec.http.LastHttpContent;
import org.jspecify.annotations.Nullable;

/**
 * A file, or a part of it, sent with {@code sendfile}: its bytes do not enter this process.
 *
 * <p>The tail is sent only after a check, made after the rest was sent, that the file is unchanged.
 * A modified file is therefore never sent as if it were complete. A change after this check, while
 * pages of the file still wait in the socket, can be detected only by the digest.
 */
final class PlainDownload implements Download {
  private static final long TAIL_BYTES = 16 * 1024;

  private final ChannelHandlerContext context;
  private final FileSource source;
  private final ByteRange part;
  private final Progress progress;
  private final Listener listener;

  /**
   * @param part the bytes of the file to send
   * @param progress receives the position in the file when the file was sent or could not be
   */
  PlainDownload(
      ChannelHandlerContext context,
      FileSource source,
      ByteRange part,
      Progress progress,
      Listener listener) {
    this.context = context;
    this.source = source;
    this.part = part;
    this.progress = progress;
    this.listener = listener;
  }

  @Override
  public void start() {
    long first = part.first();
    long tail = Math.min(part.length(), TAIL_BYTES);
    long rest = part.length() - tail;
    if (rest > 0) {
      Region region = new Region(source, first, rest);
      context
          .writeAndFlush(region)
          .addListener(
              f -> {
                progress.update(first + region.transferred(), first + part.length());
                sendTail(((ChannelFuture) f).cause(), first + rest, tail);
              });
    } else {
      sendTail(null, first, tail);
    }
  }

  private void sendTail(@Nullable Throwable failure, long at, long bytes) {
    if (failure != null) {
      end(failure);
      return;
    }
    try {
      source.verifyUnchanged();
    } catch (FerryException e) {
      end(e);
      return;
    }
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
      super(source.channel(), position, count);
    }

    @Override
    protected void deallocate() {
      // The source is closed after all regions were sent.
    }
  }
}
