package dev.ferry.grpc;

import dev.ferry.grpc.message.GeneratedForm;
import dev.ferry.grpc.message.GzipCodec;
import dev.ferry.grpc.message.HandOffAllocator;
import dev.ferry.grpc.message.HandOffCounters;
import dev.ferry.grpc.message.PackWorkers;
import dev.ferry.grpc.message.PartForm;
import dev.ferry.grpc.message.RentedArrayForm;
import dev.ferry.grpc.message.ZeroCopyForm;
import dev.ferry.grpc.transport.Transport;
import dev.ferry.grpc.transport.Tuning;
import dev.ferry.pack.PackCodec;

/**
 * What a method means for one end: the form of its messages, its transport, and how far ahead it
 * works.
 *
 * @param onReadyThreshold bytes queued before a stream is not ready; 0 leaves grpc-java's own
 * @param messagesAhead messages a receiver asks for at once; 0 leaves the stub's one at a time
 * @param batching whether a sender may hand several messages over as one: only on a transport of
 *     our own where nobody else counts messages
 */
record MethodSetup<M>(
    PartForm<M> form,
    Transport transport,
    int onReadyThreshold,
    int messagesAhead,
    boolean batching,
    HandOffCounters counters) {

  /** The same, with several messages at once where the form can and nobody else watches. */
  MethodSetup<M> batching(boolean allowed) {
    return new MethodSetup<>(form, transport, onReadyThreshold, messagesAhead, allowed, counters);
  }

  static MethodSetup<?> of(Method method) {
    return of(method, PackCodec.GZIP_JDK);
  }

  static MethodSetup<?> of(Method method, PackCodec codec) {
    GzipCodec gzip = new GzipCodec(GzipCodec.LEVEL);
    return switch (method) {
      case DEFAULT ->
          new MethodSetup<>(
              new GeneratedForm(),
              new Transport.Stock(true, gzip),
              0,
              0,
              false,
              new HandOffCounters());
      case RENTED_ARRAY ->
          new MethodSetup<>(
              new RentedArrayForm(),
              new Transport.Stock(false, gzip),
              0,
              0,
              false,
              new HandOffCounters());
      case ZERO_COPY -> {
        HandOffAllocator allocator = new HandOffAllocator(Tuning.newPool());
        PackWorkers workers = new PackWorkers("ferry-grpc-pack", codec);
        ZeroCopyForm form = new ZeroCopyForm(allocator, workers);
        yield new MethodSetup<>(
            form,
            new Transport.Tuned(allocator, form.codecs()),
            Tuning.ON_READY_THRESHOLD,
            Tuning.MESSAGES_AHEAD,
            false,
            allocator.counters());
      }
    };
  }
}
