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
 * A file that reactor-netty sends, piece by piece: the next is read when the one before has been
 * handed to the socket. Given all pieces as one stream it would ask for 128 of them at once.
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

  /** Sends them all. */
  Mono<Void> pieces() {
    // Not a Mono: that would be taken for the whole body.
    Flux<ByteBuf> piece = Mono.fromCallable(this::next).flux();
    return Flux.defer(() -> out.send(piece)).repeat(() -> !last).then();
  }

  private ByteBuf next() throws FerryException {
    FileBody open = body;
    if (open == null) {
      open = payload.open();
      body = open;
    }
    int size = payload.pieceSize();
    ByteBuf piece = out.alloc().directBuffer(size, size);
    try {
      ByteBuffer room = piece.nioBuffer(0, size);
      last = open.fill(room);
      piece.writerIndex(room.position());
      return piece;
    } catch (FerryException | RuntimeException e) {
      piece.release();
      throw e;
    }
  }
}
