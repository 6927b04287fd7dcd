package dev.ferry.http.internal.server;

import dev.ferry.wire.internal.contract.Limits;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.HttpConversionUtil;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adapts one HTTP/2 stream so that {@link ConnectionHandler} can handle its request as on an
 * HTTP/1.1 connection. If the channel is closed before the request and response are complete, the
 * stream is reset.
 *
 * <p>Netty's adapter aggregates a request without a body into one message and adds an empty frame
 * to each response without a body.
 */
final class Http2StreamAdapter extends ChannelDuplexHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Http2StreamAdapter.class);

  private final Runnable frameRead;
  private boolean begun;
  private boolean requestEnded;
  private boolean responseEnded;
  private boolean bodiless;
  private @Nullable HttpResponse head;

  /**
   * @param frameRead runs for each DATA frame that is read
   */
  Http2StreamAdapter(Runnable frameRead) {
    this.frameRead = frameRead;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof Http2HeadersFrame frame) {
      requestEnded |= frame.isEndStream();
      boolean trailers = begun;
      if (!begun) {
        begun = true;
        context.fireChannelRead(request(frame));
      }
      if (frame.isEndStream()) {
        context.fireChannelRead(trailers ? trailers(frame) : LastHttpContent.EMPTY_LAST_CONTENT);
      }
    } else if (message instanceof Http2DataFrame frame) {
      frameRead.run();
      requestEnded |= frame.isEndStream();
      context.fireChannelRead(
          frame.isEndStream()
              ? new DefaultLastHttpContent(frame.content())
              : new DefaultHttpContent(frame.content()));
    } else {
      ReferenceCountUtil.release(message);
    }
  }

  /** The end of a request with its trailer section. One that HTTP/1.1 cannot have is malformed. */
  private static LastHttpContent trailers(Http2HeadersFrame frame) {
    LastHttpContent end = new DefaultLastHttpContent();
    try {
      HttpConversionUtil.addHttp2ToHttpHeaders(
          0, frame.headers(), end.trailingHeaders(), HttpVersion.HTTP_1_1, true, true);
    } catch (Http2Exception | IllegalArgumentException e) {
      end.setDecoderResult(DecoderResult.failure(e));
    }
    return end;
  }

  private HttpRequest request(Http2HeadersFrame frame) {
    try {
      Http2Headers fields = frame.headers();
      if (bytes(fields) > Limits.MAX_FIELDS) {
        return malformed(new TooLongHttpHeaderException(Limits.FIELDS_TOO_LARGE));
      }
      HttpRequest request = HttpConversionUtil.toHttpRequest(0, fields, true);
      joinHosts(request.headers());
      // Netty takes it away, since it may be about fields that HTTP/1.1 has of its own.
      fields
          .getAll(HttpHeaderNames.TRAILER)
          .forEach(names -> request.headers().add(HttpHeaderNames.TRAILER, names));
      bodiless = request.method().equals(HttpMethod.HEAD);
      if (!frame.isEndStream() && !HttpUtil.isContentLengthSet(request)) {
        HttpUtil.setTransferEncodingChunked(request, true);
      }
      return request;
    } catch (Http2Exception | IllegalArgumentException e) {
      return malformed(e);
    }
  }

  private static HttpRequest malformed(Exception why) {
    HttpRequest malformed = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
    malformed.setDecoderResult(DecoderResult.failure(why));
    return malformed;
  }

  /** Returns the size of fields as HTTP/2 counts it (RFC 9113, 6.5.2). */
  private static long bytes(Http2Headers fields) {
    long bytes = (long) Limits.FIELD_BYTES * fields.size();
    for (Map.Entry<CharSequence, CharSequence> field : fields) {
      bytes += field.getKey().length() + field.getValue().length();
    }
    return bytes;
  }

  /** Merges {@code :authority} and an equal {@code Host} (RFC 9113, 8.3.1) into one field. */
  private static void joinHosts(HttpHeaders fields) {
    List<String> hosts = fields.getAll(HttpHeaderNames.HOST);
    if (hosts.size() > 1 && hosts.stream().allMatch(hosts.get(0)::equalsIgnoreCase)) {
      fields.set(HttpHeaderNames.HOST, hosts.get(0));
    }
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
    if (message instanceof FullHttpResponse full) {
      writeFull(context, full, promise);
    } else if (message instanceof HttpResponse response) {
      // Sent together with the content: a response without a body is a single frame.
      head = response;
      promise.trySuccess();
    } else if (message instanceof HttpContent content) {
      writeContent(context, content, promise);
    } else {
      context.write(message, promise);
    }
  }

  private void writeFull(
      ChannelHandlerContext context, FullHttpResponse response, ChannelPromise promise) {
    boolean informational = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
    if (!informational && !bodiless && response.content().isReadable()) {
      writeHead(context, response, false, context.newPromise());
      writeData(context, response.content(), true, promise);
    } else {
      response.release();
      writeHead(context, response, !informational, promise);
    }
  }

  private void writeContent(
      ChannelHandlerContext context, HttpContent content, ChannelPromise promise) {
    if (content instanceof LastHttpContent end && !end.trailingHeaders().isEmpty()) {
      writeContent(context, new DefaultHttpContent(end.content()), context.newPromise());
      responseEnded = true;
      Http2Headers trailers = HttpConversionUtil.toHttp2Headers(end.trailingHeaders(), true);
      context.write(new DefaultHttp2HeadersFrame(trailers, true), promise);
      return;
    }
    boolean last = content instanceof LastHttpContent;
    boolean empty = !content.content().isReadable();
    HttpResponse response = head;
    head = null;
    if (response != null) {
      boolean alone = last && empty;
      writeHead(context, response, alone, alone ? promise : context.newPromise());
    }
    if (empty && (!last || response != null)) {
      content.release();
      if (!last) {
        promise.trySuccess();
      }
    } else {
      writeData(context, content.content(), last, promise);
    }
  }

  private void writeHead(
      ChannelHandlerContext context, HttpResponse response, boolean last, ChannelPromise promise) {
    responseEnded |= last;
    Http2Headers fields = HttpConversionUtil.toHttp2Headers(response, true);
    context.write(new DefaultHttp2HeadersFrame(fields, last), promise);
  }

  private void writeData(
      ChannelHandlerContext context, ByteBuf bytes, boolean last, ChannelPromise promise) {
    responseEnded |= last;
    context.write(new DefaultHttp2DataFrame(bytes, last), promise);
  }

  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    if (context.channel().parent().isActive() && !(requestEnded && responseEnded)) {
      // With NO_ERROR a client keeps the response and stops to send the unread request body.
      Http2Error why = responseEnded ? Http2Error.NO_ERROR : Http2Error.INTERNAL_ERROR;
      context.writeAndFlush(new DefaultHttp2ResetFrame(why));
    }
    context.close(promise);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof Http2ResetFrame) {
      // A stream that is not being read would not see the reset.
      context.close();
    } else {
      context.fireUserEventTriggered(event);
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof Http2Exception) {
      // The codec resets the stream with the error code.
      LOG.debug("stream refused: {}", cause.toString());
    } else {
      context.fireExceptionCaught(cause);
    }
  }
}
