package dev.ferry.web;

import dev.ferry.grpc.message.GzipCodec;
import io.grpc.Codec;
import io.grpc.CompressorRegistry;
import io.grpc.DecompressorRegistry;

/**
 * The encodings of both ends: gzip at the level of all other carriers. It must be our codec that
 * decompresses, too: grpc-java's own fails before it has the message, whose buffer Armeria then
 * loses.
 */
final class Codecs {
  static final GzipCodec GZIP = new GzipCodec(GzipCodec.LEVEL);

  /** Immutable. */
  static final DecompressorRegistry DECOMPRESSORS =
      DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false).with(GZIP, true);

  private Codecs() {}

  static CompressorRegistry compressors() {
    CompressorRegistry registry = CompressorRegistry.newEmptyInstance();
    registry.register(Codec.Identity.NONE);
    registry.register(GZIP);
    return registry;
  }
}
