package dev.ferry.grpc.internal;

import dev.ferry.compress.CompressionCodec;
import dev.ferry.grpc.internal.message.ChunkCodec;
import dev.ferry.grpc.internal.message.CompressionWorkers;
import dev.ferry.grpc.internal.message.Framing;
import dev.ferry.grpc.internal.message.GeneratedCodec;
import dev.ferry.grpc.internal.message.GzipCodec;
import dev.ferry.grpc.internal.message.HandOffAllocator;
import dev.ferry.grpc.internal.message.HandOffCounters;
import dev.ferry.grpc.internal.message.RentedArrayCodec;
import dev.ferry.grpc.internal.message.ZeroCopyCodec;
import dev.ferry.grpc.internal.transport.Transport;
import dev.ferry.grpc.internal.transport.Tuning;
import java.util.List;
import java.util.function.Supplier;

/**
 * What a method means for one end: the form of its messages, its transport, and how far ahead it
 * works. Applications choose a {@link Method}; other setups are for the lab, which takes methods
 * apart. For one client or one server.
 *
 * @param <M> the message object of the form
 * @param onReadyThreshold bytes queued before a stream is not ready; 0 leaves grpc-java's own
 * @param compressedThreshold the same for a compressed stream: a form that deflates as it sends
 *     works long for few bytes, and a large threshold would leave its receiver idle and its loop
 *     deaf
 * @param messagesAhead messages a receiver asks for at once; 0 leaves the stub's one at a time
 * @param batching whether a sender may hand several messages over as one: only on a transport of
 *     our own where nobody else counts messages
 */
public record MethodSetup<M>(
    ChunkCodec<M> form,
    Transport transport,
    int onReadyThreshold,
    int compressedThreshold,
    int messagesAhead,
    boolean batching,
    HandOffCounters counters) {

  /**
   * A form on the fast transport, with a plain pool of buffers and so without a hand-off: shows
   * what is due to the transport alone.
   */
  public static <M> MethodSetup<M> tuned(ChunkCodec<M> form) {
    return new MethodSetup<>(
        form,
        new Transport.Tuned(Tuning.newPool(), List.of(new GzipCodec(GzipCodec.LEVEL))),
        Tuning.ON_READY_THRESHOLD,
        0,
        Tuning.MESSAGES_AHEAD,
        false,
        new HandOffCounters());
  }

  /** Bytes queued before a stream is not ready; 0 leaves grpc-java's own. */
  int readyThreshold(boolean compressed) {
    return compressed ? compressedThreshold : onReadyThreshold;
  }

  /** The same, with several messages at once where the form can and nobody else watches. */
  MethodSetup<M> batching(boolean allowed) {
    return new MethodSetup<>(
        form, transport, onReadyThreshold, compressedThreshold, messagesAhead, allowed, counters);
  }

  /** Whether the messages are for handing off, which not every transport does. */
  public boolean handsOff() {
    return form instanceof ZeroCopyCodec;
  }

  /**
   * What another transport needs for the messages of this setup.
   *
   * @throws IllegalStateException if they are not for handing off
   */
  public Framing framing() {
    if (transport instanceof Transport.Tuned tuned) {
      return new Framing(tuned.allocator(), tuned.codecs());
    }
    throw new IllegalStateException("these messages need no framing of their own");
  }

  /** What applications get: gzip by the fastest library there is, looked for when it is needed. */
  public static MethodSetup<?> of(Method method) {
    return of(method, CompressionCodec::fastestGzip);
  }

  /**
   * A method whose gzip is compressed and decompressed by a library of one's choice. Only {@link
   * Method#ZERO_COPY} has that choice; the others use {@code java.util.zip}, whatever the codec is.
   *
   * @param codec one for gzip, {@linkplain CompressionCodec#available available} on this machine:
   *     where it is not, compressed transfers fail
   * @throws IllegalArgumentException if the codec is for another format
   */
  public static MethodSetup<?> of(Method method, CompressionCodec codec) {
    if (!codec.encoding().equals(CompressionCodec.GZIP_JDK.encoding())) {
      throw new IllegalArgumentException(codec + " is not for gzip: take GZIP_JDK or GZIP_INTEL");
    }
    return of(method, () -> codec);
  }

  private static MethodSetup<?> of(Method method, Supplier<CompressionCodec> codec) {
    GzipCodec gzip = new GzipCodec(GzipCodec.LEVEL);
    return switch (method) {
      case DEFAULT ->
          new MethodSetup<>(
              new GeneratedCodec(),
              new Transport.Stock(true, gzip),
              0,
              0,
              0,
              false,
              new HandOffCounters());
      case RENTED_ARRAY ->
          new MethodSetup<>(
              new RentedArrayCodec(),
              new Transport.Stock(false, gzip),
              0,
              0,
              0,
              false,
              new HandOffCounters());
      case ZERO_COPY -> {
        HandOffAllocator allocator = new HandOffAllocator(Tuning.newPool());
        CompressionWorkers workers = new CompressionWorkers("ferry-grpc-compress", codec);
        ZeroCopyCodec form = new ZeroCopyCodec(allocator, workers);
        yield new MethodSetup<>(
            form,
            new Transport.Tuned(allocator, form.codecs()),
            Tuning.ON_READY_THRESHOLD,
            Tuning.ON_READY_THRESHOLD,
            Tuning.MESSAGES_AHEAD,
            false,
            allocator.counters());
      }
    };
  }
}
