package dev.ferry.grpc.internal.message;

import io.netty.buffer.ByteBuf;

/** A buffer that is filled already and waits to be asked for. */
@FunctionalInterface
interface HandOff {
  /** Answers the request: the asker owns the buffer from here on. */
  ByteBuf handOff();
}
