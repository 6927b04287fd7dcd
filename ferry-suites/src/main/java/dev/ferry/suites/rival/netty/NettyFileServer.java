package dev.ferry.suites.rival.netty;

import dev.ferry.core.FerryException;
import dev.ferry.lab.suite.RowServer;
import dev.ferry.lab.suite.ServerHost;
import dev.ferry.suites.rival.FerryRoutes;
import dev.ferry.suites.rival.PartFile;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Serves a folder on the loopback in plain text, over HTTP/1.1, and takes uploads. */
public final class NettyFileServer {
  private NettyFileServer() {}

  /**
   * Starts it on a free port.
   *
   * @param root the folder that it serves
   */
  public static RowServer start(Path root) {
    EventLoopGroup loops = new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory());
    Channel listener =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    channel.pipeline().addLast(new HttpServerCodec(), new Exchange(root));
                  }
                })
            .bind(ServerHost.address(), 0)
            .syncUninterruptibly()
            .channel();
    return RowServer.of(
        ((InetSocketAddress) listener.localAddress()).getPort(),
        () -> {
          listener.close().syncUninterruptibly();
          NettyFileClient.end(loops);
        });
  }

  /** The requests of a connection, one after the other. */
  private static final class Exchange extends SimpleChannelInboundHandler<HttpObject> {
    private final Path root;
    private @Nullable PartFile upload;

    Exchange(Path root) {
      this.root = root;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject message)
        throws IOException {
      if (message instanceof HttpRequest request) {
        begin(context, request);
      }
      if (upload != null && message instanceof HttpContent content) {
        NettyFileBody.write(content.content(), upload);
        if (message instanceof LastHttpContent) {
          upload.commit();
          upload = null;
          respond(context, HttpResponseStatus.CREATED);
        }
      }
    }

    private void begin(ChannelHandlerContext context, HttpRequest request) throws IOException {
      Path file = file(request);
      if (request.method().equals(HttpMethod.PUT)) {
        upload = new PartFile(file);
      } else if (Files.isRegularFile(file)) {
        NettyFileBody.send(
            context.channel(),
            new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK),
            file);
      } else {
        respond(context, HttpResponseStatus.NOT_FOUND);
      }
    }

    private Path file(HttpRequest request) throws FerryException {
      return root.resolve(FerryRoutes.storePath(request.uri()).value());
    }

    private static void respond(ChannelHandlerContext context, HttpResponseStatus status) {
      DefaultFullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status);
      response.headers().set(HttpHeaderNames.CONTENT_LENGTH, 0);
      context.writeAndFlush(response);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws IOException {
      if (upload != null) {
        upload.close();
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }
  }
}
