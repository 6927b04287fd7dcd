package dev.ferry.grpc.internal.message;

import io.netty.buffer.ByteBuf;

/** A filled buffer that waits for an allocation request. */
@FunctionalInterface
interface HandOff {
  /** Returns the buffer. The requester owns it from then on. */
  ByteBuf handOff();
}
