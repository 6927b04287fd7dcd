package dev.ferry.suites.calls.service.http;

import dev.ferry.suites.calls.service.DataRow;
import dev.ferry.suites.calls.service.DataRows;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Streams rows as lines, only as fast as the channel accepts them. State is confined to the event
 * loop.
 */
final class RowLines {
  /** Rows per write: about 32 KiB. */
  private static final int BATCH_ROWS = 800;

  private static final int BATCH_BYTES = 36 * 1024;

  /**
   * Writes after which other tasks of the event loop run, even if the channel is still writable.
   */
  private static final int BATCHES_PER_TASK = 8;

  private final ChannelHandlerContext context;
  private final DataRows rows;
  private final long count;
  private long position;
  private boolean ended;
  private @Nullable Runnable over;

  RowLines(ChannelHandlerContext context, DataRows rows, long count) {
    this.context = context;
    this.rows = rows;
    this.count = count;
  }

  /** Maximum bytes that wait in memory if the client does not read. */
  int mostHeld() {
    return context.channel().config().getWriteBufferHighWaterMark() + BATCH_BYTES;
  }

  /**
   * Starts sending.
   *
   * @param end called once, when everything has been sent or nothing more can be
   */
  void start(Runnable end) {
    over = end;
    HttpResponse head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    head.headers().set(HttpHeaderNames.CONTENT_TYPE, CallRoutes.NDJSON);
    HttpUtil.setTransferEncodingChunked(head, true);
    context.write(head);
    send();
  }

  /** Continues sending while the channel is writable. */
  void send() {
    int batches = 0;
    // Check isActive: a reset HTTP/2 stream stays writable, but discards everything.
    while (!ended && context.channel().isActive() && context.channel().isWritable()) {
      if (batches++ == BATCHES_PER_TASK) {
        context.executor().execute(this::send);
        return;
      }
      if (position < count) {
        context.writeAndFlush(new DefaultHttpContent(nextBatch()));
      } else {
        ended = true;
        context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT).addListener(sent -> end());
      }
    }
  }

  /** Ends it without the rest, since the channel is closed. */
  void abort() {
    ended = true;
    end();
  }

  private void end() {
    Runnable once = over;
    over = null;
    if (once != null) {
      once.run();
    }
  }

  private ByteBuf nextBatch() {
    long end = Math.min(count, position + BATCH_ROWS);
    List<DataRow> batch = LongStream.range(position, end).mapToObj(rows::at).toList();
    position = end;
    return CallJson.linesToBuffer(context.alloc(), BATCH_BYTES, batch);
  }
}
