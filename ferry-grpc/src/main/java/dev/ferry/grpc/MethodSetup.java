package dev.ferry.grpc;

import dev.ferry.grpc.message.GeneratedForm;
import dev.ferry.grpc.message.HandOffAllocator;
import dev.ferry.grpc.message.HandOffCounters;
import dev.ferry.grpc.message.PartForm;
import dev.ferry.grpc.message.RentedArrayForm;
import dev.ferry.grpc.message.ZeroCopyForm;
import dev.ferry.grpc.transport.Transport;
import dev.ferry.grpc.transport.Tuning;

/**
 * What a method means for one end: the form of its messages, its transport, and how far ahead it
 * works. Applications choose a {@link Method}; other setups are for the lab, which takes methods
 * apart. For one client or one server.
 *
 * @param <M> the message object of the form
 * @param onReadyThreshold bytes queued before a stream is not ready; 0 leaves grpc-java's own
 * @param messagesAhead messages a receiver asks for at once; 0 leaves the stub's one at a time
 */
public record MethodSetup<M>(
    PartForm<M> form,
    Transport transport,
    int onReadyThreshold,
    int messagesAhead,
    HandOffCounters counters) {

  /**
   * A form on the fast transport, with a plain pool of buffers and so without a hand-off: shows
   * what is due to the transport alone.
   */
  public static <M> MethodSetup<M> tuned(PartForm<M> form) {
    return new MethodSetup<>(
        form,
        new Transport.Tuned(Tuning.newPool(), () -> {}),
        Tuning.ON_READY_THRESHOLD,
        Tuning.MESSAGES_AHEAD,
        new HandOffCounters());
  }

  static MethodSetup<?> of(Method method) {
    return switch (method) {
      case DEFAULT ->
          new MethodSetup<>(
              new GeneratedForm(), new Transport.Stock(true), 0, 0, new HandOffCounters());
      case RENTED_ARRAY ->
          new MethodSetup<>(
              new RentedArrayForm(), new Transport.Stock(false), 0, 0, new HandOffCounters());
      case ZERO_COPY -> {
        HandOffAllocator allocator = new HandOffAllocator(Tuning.newPool());
        yield new MethodSetup<>(
            new ZeroCopyForm(allocator),
            new Transport.Tuned(allocator, allocator::disarm),
            Tuning.ON_READY_THRESHOLD,
            Tuning.MESSAGES_AHEAD,
            allocator.counters());
      }
    };
  }
}
