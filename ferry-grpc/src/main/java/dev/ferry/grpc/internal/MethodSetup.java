package dev.ferry.grpc.internal;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.core.RateLimit;
import dev.ferry.grpc.internal.message.ChunkFormat;
import dev.ferry.grpc.internal.message.CompressionWorkers;
import dev.ferry.grpc.internal.message.Framing;
import dev.ferry.grpc.internal.message.GeneratedFormat;
import dev.ferry.grpc.internal.message.GzipCodec;
import dev.ferry.grpc.internal.message.HandOffAllocator;
import dev.ferry.grpc.internal.message.HandOffCounters;
import dev.ferry.grpc.internal.message.RentedArrayFormat;
import dev.ferry.grpc.internal.message.ZeroCopyFormat;
import dev.ferry.grpc.internal.transport.Transport;
import dev.ferry.grpc.internal.transport.Tuning;
import dev.ferry.net.internal.ReceiveWindows;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a method for one client or one server: the format of its messages, its transport,
 * and its buffering limits. Applications choose a {@link Method}. Other setups are for the lab,
 * which measures the parts of a method separately.
 *
 * @param <M> the message type of the format
 * @param onReadyThreshold queued bytes above which a stream is not ready; 0 keeps the default of
 *     grpc-java
 * @param compressedThreshold the same for a compressed stream. A format that compresses while it
 *     sends needs much time for few bytes; with a large threshold its receiver would be idle and
 *     its event loop would be blocked.
 * @param messagesAhead the number of messages that a receiver requests at once; 0 keeps the default
 *     of the stub, which requests one at a time
 * @param batching whether a sender may pass several messages as one. This is allowed only on a
 *     Ferry transport on which nothing else counts messages.
 */
public record MethodSetup<M>(
    ChunkFormat<M> format,
    Transport transport,
    int onReadyThreshold,
    int compressedThreshold,
    int messagesAhead,
    boolean batching,
    HandOffCounters counters) {

  /**
   * Creates a setup of a format on the tuned transport with a plain buffer pool and therefore
   * without hand-off. It measures the contribution of the transport alone.
   */
  public static <M> MethodSetup<M> tuned(ChunkFormat<M> format) {
    return new MethodSetup<>(
        format,
        new Transport.Tuned(Tuning.newPool(), List.of(new GzipCodec(GzipCodec.LEVEL))),
        Tuning.ON_READY_THRESHOLD,
        0,
        Tuning.MESSAGES_AHEAD,
        false,
        new HandOffCounters());
  }

  /**
   * Returns the number of queued bytes above which a stream is not ready; 0 keeps the default of
   * grpc-java.
   */
  int readyThreshold(boolean compressed) {
    return compressed ? compressedThreshold : onReadyThreshold;
  }

  /** Returns this setup with batching allowed or not. */
  MethodSetup<M> batching(boolean allowed) {
    return new MethodSetup<>(
        format, transport, onReadyThreshold, compressedThreshold, messagesAhead, allowed, counters);
  }

  /**
   * Returns the setup of a client whose downloads keep to a rate limit, so that the server does not
   * send much more in advance.
   *
   * @param limit null for no limit
   */
  public MethodSetup<M> limitedTo(@Nullable RateLimit limit) {
    return transport instanceof Transport.Tuned tuned
        ? new MethodSetup<>(
            format,
            new Transport.Tuned(tuned.allocator(), tuned.codecs(), ReceiveWindows.stream(limit)),
            onReadyThreshold,
            compressedThreshold,
            messagesAhead,
            batching,
            counters)
        : this;
  }

  /** Returns whether messages hand off their buffers. Not every transport supports this. */
  public boolean handsOff() {
    return format instanceof ZeroCopyFormat;
  }

  /**
   * Returns what the transport of another library needs to frame the messages of this setup.
   *
   * @throws IllegalStateException if the setup does not use Ferry's tuned transport
   */
  public Framing framing() {
    if (transport instanceof Transport.Tuned tuned) {
      return new Framing(tuned.allocator(), tuned.codecs());
    }
    throw new IllegalStateException("these messages need no framing of their own");
  }

  /**
   * Returns the setup of a method with a buffer pool of its own, for a server. gzip uses the
   * fastest available library, which is looked up on first use.
   */
  public static MethodSetup<?> of(Method method) {
    return of(method, CompressionCodec::fastestGzip);
  }

  /**
   * Returns the setup of a method for a client of an application. It is that of {@link #of(Method)}
   * with the buffer pool of all clients.
   */
  public static MethodSetup<?> ofClient(Method method) {
    return of(method, CompressionCodec::fastestGzip, Tuning::clientPool);
  }

  /**
   * Returns the setup of a method with the given gzip library. Only {@link Method#ZERO_COPY} uses
   * the given library. The other methods always use {@code java.util.zip}.
   *
   * @param codec a codec for gzip. If it is not {@linkplain CompressionCodec#available available}
   *     on this machine, compressed transfers fail.
   * @throws IllegalArgumentException if the codec is not for gzip
   */
  public static MethodSetup<?> of(Method method, CompressionCodec codec) {
    if (!codec.encoding().equals(CompressionCodec.GZIP_JDK.encoding())) {
      throw new IllegalArgumentException(codec + " is not for gzip: take GZIP_JDK or GZIP_INTEL");
    }
    return of(method, () -> codec);
  }

  private static MethodSetup<?> of(Method method, Supplier<CompressionCodec> compression) {
    return of(method, compression, Tuning::newPool);
  }

  private static MethodSetup<?> of(
      Method method, Supplier<CompressionCodec> compression, Supplier<ByteBufAllocator> pool) {
    GzipCodec gzip = new GzipCodec(GzipCodec.LEVEL);
    return switch (method) {
      case DEFAULT ->
          new MethodSetup<>(
              new GeneratedFormat(),
              new Transport.Stock(true, gzip),
              0,
              0,
              0,
              false,
              new HandOffCounters());
      case RENTED_ARRAY ->
          new MethodSetup<>(
              new RentedArrayFormat(),
              new Transport.Stock(false, gzip),
              0,
              0,
              0,
              false,
              new HandOffCounters());
      case ZERO_COPY -> {
        HandOffAllocator allocator = new HandOffAllocator(pool.get());
        CompressionWorkers workers = new CompressionWorkers("ferry-grpc-compress", compression);
        ZeroCopyFormat format = new ZeroCopyFormat(allocator, workers);
        yield new MethodSetup<>(
            format,
            new Transport.Tuned(allocator, format.codecs()),
            Tuning.ON_READY_THRESHOLD,
            Tuning.ON_READY_THRESHOLD,
            Tuning.MESSAGES_AHEAD,
            false,
            allocator.counters());
      }
    };
  }
}
