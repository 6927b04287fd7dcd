package dev.ferry.suites.rival.reactor;

import dev.ferry.suites.rival.SentFile;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.NettyOutbound;

/**
 * A file that reactor-netty sends, buffer by buffer: the next is read when the one before has been
 * handed to the socket. Given all buffers as one stream it would request 128 of them at once.
 */
final class ReactorUpload {
  private final SentFile file;
  private final NettyOutbound out;
  private boolean last;

  ReactorUpload(SentFile file, NettyOutbound out) {
    this.file = file;
    this.out = out;
  }

  /** Sends the file. */
  Mono<Void> send() {
    file.restart();
    // Not a Mono: that would be taken for the whole body.
    Flux<ByteBuf> buffer = Mono.fromCallable(this::next).flux();
    return Flux.defer(() -> out.send(buffer)).repeat(() -> !last).then();
  }

  private ByteBuf next() throws IOException {
    int size = file.bufferSize();
    ByteBuf buffer = out.alloc().directBuffer(size, size);
    try {
      ByteBuffer room = buffer.nioBuffer(0, size);
      last = file.fill(room);
      buffer.writerIndex(room.position());
      return buffer;
    } catch (IOException | RuntimeException e) {
      buffer.release();
      throw e;
    }
  }
}
