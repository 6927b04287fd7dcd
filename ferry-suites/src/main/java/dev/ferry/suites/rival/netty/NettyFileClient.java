package dev.ferry.suites.rival.netty;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.http.HttpProtocol;
import dev.ferry.suites.rival.FerryRoutes;
import dev.ferry.suites.rival.PartFile;
import dev.ferry.suites.rival.TransferClient;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Moves files over one kept connection, HTTP/1.1 in plain text, uncompressed and unverified. The
 * event loop writes received bytes to the file. A failed transfer closes the connection.
 */
public record NettyFileClient(EventLoopGroup loops, Channel channel, String host)
    implements TransferClient {
  /**
   * Connects.
   *
   * @throws IOException if nothing listens
   */
  public static NettyFileClient connect(String host, int port) throws IOException {
    EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    var connected =
        new Bootstrap()
            .group(loops)
            .channel(NioSocketChannel.class)
            .handler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    channel.pipeline().addLast(new HttpClientCodec());
                  }
                })
            .connect(host, port)
            .awaitUninterruptibly();
    if (!connected.isSuccess()) {
      end(loops);
      throw new IOException("cannot connect to " + host + ":" + port, connected.cause());
    }
    return new NettyFileClient(loops, connected.channel(), host + ":" + port);
  }

  static void end(EventLoopGroup loops) {
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  @Override
  public Transfer download(StorePath path, Path target, TransferOptions options)
      throws FerryException {
    try (PartFile file = new PartFile(target)) {
      HttpRequest request =
          new DefaultFullHttpRequest(
              HttpVersion.HTTP_1_1, HttpMethod.GET, FerryRoutes.uriPath(path));
      exchange(path, options, request, file, () -> channel.writeAndFlush(request));
      file.commit();
      return TransferClient.plain(path, target, HttpProtocol.HTTP_1_1.wireName());
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
  }

  @Override
  public Transfer upload(Path source, StorePath path, TransferOptions options)
      throws FerryException {
    try {
      HttpRequest request =
          new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.PUT, FerryRoutes.uriPath(path));
      exchange(path, options, request, null, () -> NettyFileBody.send(channel, request, source));
      return TransferClient.plain(path, source, HttpProtocol.HTTP_1_1.wireName());
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
  }

  /** Sends a request. */
  @FunctionalInterface
  private interface Sending {
    ChannelFuture send() throws IOException;
  }

  private void exchange(
      StorePath path,
      TransferOptions options,
      HttpRequest request,
      @Nullable PartFile file,
      Sending sending)
      throws IOException {
    if (options.gzip() || options.verify()) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "Netty's example neither compresses nor verifies");
    }
    request.headers().set(HttpHeaderNames.HOST, host);
    ResponseHandler handler = new ResponseHandler(file);
    channel.pipeline().addLast(handler);
    try {
      sending
          .send()
          .addListener(
              sent -> {
                if (!sent.isSuccess()) {
                  handler.done.completeExceptionally(sent.cause());
                }
              });
      int status = handler.done.get();
      if (status >= 300) {
        throw FerryRoutes.refused(path.value(), status);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      channel.close();
      throw new FerryException(ErrorKind.CANCELLED, path + ": cancelled", e);
    } catch (ExecutionException e) {
      channel.close();
      throw new FerryException(ErrorKind.UNAVAILABLE, path + ": " + e.getCause(), e);
    }
  }

  /** The response to one request. */
  private static final class ResponseHandler extends SimpleChannelInboundHandler<HttpObject> {
    private final CompletableFuture<Integer> done = new CompletableFuture<>();
    private final @Nullable PartFile file;
    private int status;

    ResponseHandler(@Nullable PartFile file) {
      this.file = file;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject message)
        throws IOException {
      if (message instanceof HttpResponse response) {
        status = response.status().code();
      }
      if (message instanceof HttpContent content && file != null && status < 300) {
        NettyFileBody.write(content.content(), file);
      }
      if (message instanceof LastHttpContent) {
        context.pipeline().remove(this);
        done.complete(status);
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      done.completeExceptionally(new EOFException("the server closed the connection"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      done.completeExceptionally(cause);
      context.close();
    }
  }

  @Override
  public void close() {
    channel.close().syncUninterruptibly();
    end(loops);
  }
}
