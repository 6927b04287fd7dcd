package dev.ferry.web;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Armeria's channels with gzip at a level of ours, which takes a channel of its own, and with an
 * end: Armeria leaves calls to themselves when it closes their connections.
 */
final class WebChannel extends Channel {
  /** Where {@link GuardedAnswer} leaves the status of an answer that is nothing else. */
  static final CallOptions.Key<@Nullable AtomicReference<@Nullable StatusRuntimeException>>
      REFUSAL = CallOptions.Key.create("ferry-refusal");

  private final Channel plain;
  private final Channel compressed;
  private final Executor workers;
  private final Running running = new Running();

  /** The calls that have begun and not ended; once closed it has none. */
  static final class Running {
    private final Set<ClientCall<?, ?>> calls = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    void add(ClientCall<?, ?> call) {
      calls.add(call);
    }

    void started(ClientCall<?, ?> call) {
      if (closed) {
        cancel(call);
      }
    }

    void remove(ClientCall<?, ?> call) {
      calls.remove(call);
    }

    void close() {
      closed = true;
      calls.forEach(Running::cancel);
    }

    private static void cancel(ClientCall<?, ?> call) {
      call.cancel("the carrier was closed", null);
    }
  }

  /**
   * @param workers run the listeners of calls, which wait for files: an event loop must not
   */
  WebChannel(Channel plain, Channel compressed, Executor workers) {
    this.plain = plain;
    this.compressed = compressed;
    this.workers = workers;
  }

  @Override
  public <I, O> ClientCall<I, O> newCall(MethodDescriptor<I, O> method, CallOptions options) {
    boolean gzip = Codecs.GZIP.getMessageEncoding().equals(options.getCompressor());
    Gate gate = new Gate(options.getExecutor() == null ? workers : options.getExecutor());
    AtomicReference<@Nullable StatusRuntimeException> refusal = new AtomicReference<>();
    CallOptions ours =
        options.withCompression(null).withExecutor(gate).withOption(REFUSAL, refusal);
    ClientCall<I, O> call = (gzip ? compressed : plain).newCall(method, ours);
    return new WebCall<>(call, gate, running, options.getDeadline(), refusal);
  }

  @Override
  public String authority() {
    return plain.authority();
  }

  /** Cancels the calls that run, and those that begin from now on. */
  void close() {
    running.close();
  }
}
