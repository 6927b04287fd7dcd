package dev.ferry.grpc.internal;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.core.Compression;
import dev.ferry.core.RateLimit;
import dev.ferry.grpc.internal.message.ChunkFormat;
import dev.ferry.grpc.internal.message.CompressionWorkers;
import dev.ferry.grpc.internal.message.Framing;
import dev.ferry.grpc.internal.transport.Transport;
import dev.ferry.grpc.internal.transport.Tuning;
import dev.ferry.wire.GzipLibrary;
import dev.ferry.zerocopy.HandOffAllocator;
import dev.ferry.zerocopy.ZeroCopy;
import io.netty.buffer.ByteBufAllocator;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one client or one server is made of: the format of its messages and the transport whose
 * allocator and codecs the format needs.
 *
 * @param batching whether a sender may pass several messages as one. This is allowed only on a
 *     Ferry transport on which nothing else counts messages.
 */
public record GrpcSetup(ChunkFormat format, Transport transport, boolean batching) {
  /**
   * Returns the setup of a server, with a buffer pool of its own. gzip uses the fastest available
   * library, which is looked up on first use. zstd is offered if its library loads, which is found
   * out now.
   */
  public static GrpcSetup ofServer() {
    return of(CompressionCodec::fastestGzip, CompressionWorkers::have, ZeroCopy.newPool());
  }

  /** Returns the setup of a server as {@link #ofServer()}, with a library for gzip. */
  public static GrpcSetup ofServer(GzipLibrary gzip) {
    return of(codec(gzip), CompressionWorkers::have, ZeroCopy.newPool());
  }

  /**
   * Returns the setup of a client, with the buffer pool of all clients. To load the library of zstd
   * would take most calls longer for nothing: {@link GrpcCarrier} does so before it asks for zstd.
   */
  public static GrpcSetup ofClient() {
    return of(CompressionCodec::fastestGzip, format -> true, Tuning.clientPool());
  }

  /** Returns the setup of a client as {@link #ofClient()}, with a library for gzip. */
  public static GrpcSetup ofClient(GzipLibrary gzip) {
    return of(codec(gzip), format -> true, Tuning.clientPool());
  }

  private static Supplier<CompressionCodec> codec(GzipLibrary gzip) {
    return switch (gzip) {
      case FASTEST -> CompressionCodec::fastestGzip;
      case JDK -> () -> CompressionCodec.GZIP_JDK;
    };
  }

  private static GrpcSetup of(
      Supplier<CompressionCodec> gzip,
      Predicate<Compression.Format> offered,
      ByteBufAllocator pool) {
    CompressionWorkers workers = new CompressionWorkers("ferry-grpc-compress", gzip);
    ChunkFormat format = new ChunkFormat(pool, workers, offered);
    return new GrpcSetup(format, new Transport(pool, format.codecs()), false);
  }

  /** Returns this setup with batching allowed or not. */
  public GrpcSetup batching(boolean allowed) {
    return new GrpcSetup(format, transport, allowed);
  }

  /**
   * Returns the setup of a client whose downloads keep to a rate limit, so that the server does not
   * send much more in advance.
   *
   * @param limit null for no limit
   */
  public GrpcSetup limitedTo(@Nullable RateLimit limit) {
    return new GrpcSetup(
        format,
        new Transport(
            transport.pool(), transport.codecs(), RateLimit.window(limit, ZeroCopy.WINDOW)),
        batching);
  }

  /** Returns what the transport of another library needs to frame the messages of this setup. */
  public Framing framing() {
    return new Framing(new HandOffAllocator(transport.pool()), transport.codecs());
  }
}
