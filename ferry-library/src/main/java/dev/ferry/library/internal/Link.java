package dev.ferry.library.internal;

import dev.ferry.core.Carrier;
import dev.ferry.core.Carriers;
import dev.ferry.core.Change;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.Library;
import dev.ferry.core.internal.LostResponse;
import dev.ferry.core.internal.RepeatedCall;
import dev.ferry.core.internal.RepeatedCall.Attempt;
import dev.ferry.core.local.EqualFiles;
import dev.ferry.grpc.GrpcFiles;
import dev.ferry.http.HttpFiles;
import dev.ferry.library.Protocol;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.Servers;
import dev.ferry.wire.Token;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a client, and the threads of its futures. Calls share a carrier. An attempt
 * after a failure has one of its own, since a carrier may refuse calls for a while after it. Thread
 * -safe.
 */
public final class Link implements Carriers, AutoCloseable {
  private final Protocol protocol;
  private final Servers servers;
  private final @Nullable ClientTls tls;
  private final @Nullable Token token;
  private final Retries retries;
  private final @Nullable Executor given;
  private final Carrier shared;

  // The lock of this object guards the following.
  private final Set<Carrier> others = Collections.newSetFromMap(new WeakHashMap<>());
  private final Set<StartedCall<?>> started = Collections.newSetFromMap(new WeakHashMap<>());
  private @Nullable CallThreads own;
  private boolean closed;

  /**
   * @param given runs what is started; null for threads of its own
   * @throws IllegalArgumentException if the token may not be sent to the servers
   */
  public Link(
      Protocol protocol,
      Servers servers,
      @Nullable ClientTls tls,
      @Nullable Token token,
      Retries retries,
      @Nullable Executor given) {
    this.protocol = protocol;
    this.servers = servers;
    this.tls = tls;
    this.token = token;
    this.retries = retries;
    this.given = given;
    this.shared = open();
  }

  private Carrier open() {
    return switch (protocol) {
      case GRPC -> GrpcFiles.connect(servers, tls, token);
      case HTTP -> HttpFiles.connect(servers, tls, token);
    };
  }

  @Override
  public Carrier take() {
    return shared;
  }

  @Override
  public Carrier connect() throws FerryException {
    Carrier carrier = open();
    synchronized (this) {
      others.add(carrier);
    }
    try {
      requireOpen();
    } catch (FerryException e) {
      carrier.close();
      throw e;
    }
    return carrier;
  }

  @Override
  public void release(Carrier carrier, boolean sound) {
    if (carrier != shared) {
      carrier.close();
    }
  }

  public Retries retries() {
    return retries;
  }

  private void requireOpen() throws FerryException {
    requireOpen(null);
  }

  private synchronized void requireOpen(@Nullable Throwable cause) throws FerryException {
    if (closed) {
      throw closed(cause);
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private FerryException closed(@Nullable Throwable cause) {
    return new FerryException(
        ErrorKind.CANCELLED, "the client of " + servers + " is closed", cause);
  }

  /**
   * Runs a call, whose failure is that the client was closed if it was. What the caller's own code
   * throws is a failure on every thread.
   */
  public <T> T run(Retries.Call<T> call) throws FerryException {
    requireOpen();
    try {
      return call.run();
    } catch (FerryException e) {
      requireOpen(e);
      throw Library.reason(e).map(why -> new FerryException(ErrorKind.INTERNAL, why, e)).orElse(e);
    } catch (RuntimeException e) {
      requireOpen(e);
      throw new FerryException(ErrorKind.INTERNAL, String.valueOf(e), e);
    } catch (LinkageError e) {
      requireOpen(e);
      throw Library.failure(e);
    }
  }

  /**
   * Runs a call, and repeats it after failures that may be over soon.
   *
   * @param timeout time of all attempts together; null means no limit
   * @param reached how far the call is
   */
  public <T> T call(@Nullable Duration timeout, Attempt<T> attempt, LongSupplier reached)
      throws FerryException {
    return run(() -> attempts(timeout, attempt, reached, failure -> true));
  }

  /** Uploads bytes, again after failures that may be over soon while the first byte is there. */
  public Transfer upload(StorePath path, BytesSource source, TransferOptions options)
      throws FerryException {
    LostResponse lost = new LostResponse();
    Attempt<Transfer> attempt =
        (carrier, left) -> {
          TransferOptions limited = options.withTimeout(left);
          try {
            return lost.send(
                () -> carrier.upload(source, path, limited),
                ErrorKind.ALREADY_EXISTS,
                () -> stored(carrier, path, source, limited));
          } catch (FerryException e) {
            boolean passes = e.outage() != null || e.retryAfter() != null;
            // Without its kind of failure, no attempt follows.
            throw source.isRepeatable() || !passes
                ? e
                : new FerryException(
                    e.kind(), e.getMessage() + "; a stream of this length is not sent again", e);
          }
        };
    return call(options.timeout(), attempt, () -> 0);
  }

  /** Returns the transfer of the server's file if it is what was sent. */
  private static Optional<Transfer> stored(
      Carrier carrier, StorePath path, BytesSource source, TransferOptions options)
      throws FerryException {
    Digest.Algorithm algorithm =
        options.digest() == null ? Digest.Algorithm.CRC32C : options.digest();
    Digest sent = source.knownDigest(algorithm);
    FileFacts stored =
        sent == null
            ? null
            : EqualFiles.facts(carrier, path, source.size(), sent, options.limits());
    return Optional.ofNullable(stored)
        .map(facts -> new Transfer(facts, facts.size(), "unknown", "unknown"));
  }

  /** Makes a change, again after failures with which no server can have begun it. */
  public void change(Change change, TransferOptions options) throws FerryException {
    Attempt<Boolean> attempt =
        (carrier, left) -> {
          carrier.change(change, options.limits().withTimeout(left));
          return true;
        };
    boolean unused = run(() -> attempts(options.timeout(), attempt, () -> 0, Link::hasNotBegun));
  }

  private static boolean hasNotBegun(FerryException failure) {
    return failure.outage() == null
        ? failure.kind() == ErrorKind.OVERLOADED
        : !LostResponse.mayHaveBegun(failure);
  }

  private <T> T attempts(
      @Nullable Duration timeout,
      Attempt<T> attempt,
      LongSupplier reached,
      Predicate<FerryException> mayRepeat)
      throws FerryException {
    return RepeatedCall.begin(this, retries, timeout)
        .run(attempt, reached, failure -> !isClosed() && mayRepeat.test(failure));
  }

  /** Runs a call on another thread. */
  public <T> CompletableFuture<T> start(Retries.Call<T> call) {
    StartedCall<T> future = new StartedCall<>(call);
    try {
      executor(future).execute(future);
    } catch (FerryException e) {
      future.completeExceptionally(e);
    } catch (RejectedExecutionException e) {
      future.completeExceptionally(rejected(e));
    } catch (OutOfMemoryError e) {
      // There is no thread for it.
      future.completeExceptionally(e);
    }
    return future;
  }

  private FerryException rejected(RejectedExecutionException e) {
    return isClosed()
        ? closed(e)
        : new FerryException(
            ErrorKind.INTERNAL, "the executor of the client takes no call: " + e.getMessage(), e);
  }

  private synchronized Executor executor(StartedCall<?> future) throws FerryException {
    requireOpen();
    started.add(future);
    if (given != null) {
      return given;
    }
    if (own == null) {
      own = new CallThreads();
    }
    return own;
  }

  @Override
  public void close() {
    List<Carrier> all;
    List<StartedCall<?>> running;
    synchronized (this) {
      closed = true;
      all = List.copyOf(others);
      running = List.copyOf(started);
      if (own != null) {
        own.end();
      }
    }
    // Not when they end: an executor may never run one, and a stream may swallow the interrupt.
    running.forEach(call -> call.completeExceptionally(closed(null)));
    all.forEach(Carrier::close);
    shared.close();
  }
}
