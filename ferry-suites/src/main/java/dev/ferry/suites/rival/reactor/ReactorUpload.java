package dev.ferry.suites.rival.reactor;

import dev.ferry.core.FerryException;
import dev.ferry.http.internal.FileBody;
import dev.ferry.http.internal.Payload;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.NettyOutbound;

/**
 * A file that reactor-netty sends, buffer by buffer: the next is read when the one before has been
 * handed to the socket. Given all buffers as one stream it would request 128 of them at once.
 */
final class ReactorUpload {
  private final Payload payload;
  private final NettyOutbound out;
  private @Nullable FileBody body;
  private boolean last;

  ReactorUpload(Payload payload, NettyOutbound out) {
    this.payload = payload;
    this.out = out;
  }

  /** Sends the file. */
  Mono<Void> send() {
    // Not a Mono: that would be taken for the whole body.
    Flux<ByteBuf> buffer = Mono.fromCallable(this::next).flux();
    return Flux.defer(() -> out.send(buffer)).repeat(() -> !last).then();
  }

  private ByteBuf next() throws FerryException {
    FileBody open = body;
    if (open == null) {
      open = payload.open();
      body = open;
    }
    int size = payload.bufferSize();
    ByteBuf buffer = out.alloc().directBuffer(size, size);
    try {
      ByteBuffer room = buffer.nioBuffer(0, size);
      last = open.fill(room);
      buffer.writerIndex(room.position());
      return buffer;
    } catch (FerryException | RuntimeException e) {
      buffer.release();
      throw e;
    }
  }
}
