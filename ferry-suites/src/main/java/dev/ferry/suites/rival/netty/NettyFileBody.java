package dev.ferry.suites.rival.netty;

import dev.ferry.suites.rival.PartFile;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.DefaultFileRegion;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Bodies from a file and to a file. */
final class NettyFileBody {
  private NettyFileBody() {}

  /** Sends a message with a file as its body. */
  static ChannelFuture send(Channel channel, HttpMessage head, Path file) throws IOException {
    FileChannel source = FileChannel.open(file, StandardOpenOption.READ);
    long size = source.size();
    head.headers().set(HttpHeaderNames.CONTENT_LENGTH, size);
    channel.write(head);
    // Closes the file when it is released.
    channel.write(new DefaultFileRegion(source, 0, size));
    return channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT);
  }

  /** Writes received bytes to a file. */
  static void write(ByteBuf bytes, PartFile file) throws IOException {
    while (bytes.isReadable()) {
      bytes.readBytes(file.channel(), bytes.readableBytes());
    }
  }
}
