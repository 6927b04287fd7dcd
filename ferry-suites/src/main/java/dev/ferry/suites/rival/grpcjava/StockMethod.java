package dev.ferry.suites.rival.grpcjava;

import dev.ferry.core.FileStore;
import io.grpc.Channel;
import io.grpc.Codec;
import io.grpc.CompressorRegistry;
import io.grpc.DecompressorRegistry;
import io.grpc.ManagedChannelBuilder;
import io.grpc.ServerServiceDefinition;
import java.util.concurrent.Executor;

/**
 * The rows of grpc-java without Ferry: a server and a client of {@code ferry.v1.Files} on generated
 * stubs, that move whole files. They interoperate with each other and with Ferry's.
 */
public enum StockMethod {
  /** What most people write: generated messages, and a new array for each chunk. */
  DEFAULT("Default"),
  /** The same with arrays of a pool. */
  RENTED_ARRAY("RentedArray");

  /** The level at which both methods compress, by {@code java.util.zip}. */
  public static final int GZIP_LEVEL = 1;

  private final String label;

  StockMethod(String label) {
    this.label = label;
  }

  /** Returns the name of the method in tables. */
  public String label() {
    return label;
  }

  /** Returns the codec of both methods. */
  public static Codec gzip() {
    return new GzipLevel(GZIP_LEVEL);
  }

  private ChunkMessages<?> messages() {
    return this == DEFAULT ? new GeneratedMessages() : new RentedMessages();
  }

  /**
   * Returns the service over a store, for any gRPC server with the {@linkplain #gzip codec}.
   *
   * @param flow settings of the streams
   * @param executor computes SHA-256 while a file arrives
   */
  public ServerServiceDefinition service(FileStore store, Flow flow, Executor executor) {
    return new StockFiles<>(store, messages(), flow, executor).bind();
  }

  /**
   * Returns a client over any channel that has the {@linkplain #settings settings} of the method.
   *
   * @param protocol the protocol of the channel
   * @param close closes the channel
   */
  public StockFilesClient client(Channel channel, String protocol, Flow flow, Runnable close) {
    return new StockFilesClient(channel, messages(), protocol, flow, close);
  }

  /** Applies to the builder of a channel what the method needs. */
  public <B extends ManagedChannelBuilder<B>> B settings(B builder) {
    B coded =
        builder.compressorRegistry(compressors(gzip())).decompressorRegistry(decompressors(gzip()));
    return this == RENTED_ARRAY ? coded.disableRetry() : coded;
  }

  /** Returns a registry of one codec. */
  public static CompressorRegistry compressors(Codec codec) {
    CompressorRegistry registry = CompressorRegistry.newEmptyInstance();
    registry.register(Codec.Identity.NONE);
    registry.register(codec);
    return registry;
  }

  static DecompressorRegistry decompressors(Codec codec) {
    return DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false).with(codec, true);
  }

  /**
   * Settings of a stream.
   *
   * @param ahead messages that a receiver requests at once; 0 for the stub's default, one at a time
   * @param readyThreshold queued bytes above which a stream without compression is not ready; 0 for
   *     the default of grpc-java
   */
  public record Flow(int ahead, int readyThreshold) {
    /** grpc-java as it comes. */
    public static final Flow DEFAULT = new Flow(0, 0);
  }
}
