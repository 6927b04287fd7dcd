package dev.ferry.wire.internal.servers;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.Outage;
import dev.ferry.core.PartReceiver;
import dev.ferry.core.PartRequest;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadStatus;
import dev.ferry.wire.Servers;
import dev.ferry.wire.Token;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends each call to one of several servers. If that server cannot be reached, it has not executed
 * the call, which then goes to the next one. So does a call that changes nothing if the server, or
 * a proxy before it, is unavailable or shutting down, or if its connection is lost before the first
 * byte. A call that fails otherwise is for {@link dev.ferry.core.Retries}: its failure says that
 * there are {@linkplain FerryException#hasOtherServers other servers}. Thread-safe.
 */
public final class ServersCarrier implements Carrier {
  private final Servers servers;
  private final Routes routes;
  private volatile boolean closed;

  /**
   * Creates a client of several servers, or of one if there is only one.
   *
   * @param single makes a carrier to the only server
   * @param connector makes a carrier to one of several servers, which connects lazily
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static Carrier of(
      Servers servers,
      @Nullable Token token,
      boolean tls,
      Function<Servers.Address, Carrier> single,
      Function<Servers.Endpoint, Carrier> connector) {
    if (servers.isSingle()) {
      return single.apply(servers.addresses().get(0));
    }
    String unused = authorization(servers, token, tls);
    return new ServersCarrier(servers, new RoutePerServer(servers, connector));
  }

  /**
   * Returns the value of the field {@code Authorization} for all servers; null without a token.
   *
   * @throws IllegalArgumentException if the token {@linkplain Token#maySendTo may not be sent}
   */
  public static @Nullable String authorization(
      Servers servers, @Nullable Token token, boolean tls) {
    @Nullable String value = null;
    for (Servers.Address address : servers.addresses()) {
      value = token == null ? null : token.authorization(address.host(), tls);
    }
    return value;
  }

  /** Takes ownership of the routes. */
  public ServersCarrier(Servers servers, Routes routes) {
    this.servers = servers;
    this.routes = routes;
  }

  /** A call to one server. */
  @FunctionalInterface
  private interface Call<T> {
    T by(Carrier carrier) throws FerryException;
  }

  /** The effects of a call at this end. */
  private static final class Effects {
    private final boolean safe;
    private volatile boolean begun;

    /**
     * @param safe whether the call changes nothing at the server
     */
    Effects(boolean safe) {
      this.safe = safe;
    }

    PartReceiver recording(PartReceiver receiver) {
      return new PartReceiver() {
        @Override
        public @Nullable PartRequest wanted() {
          return receiver.wanted();
        }

        @Override
        public boolean mayWait() {
          return receiver.mayWait();
        }

        @Override
        public FileSink part(FileFacts facts, long length) throws FerryException {
          begun = true;
          return receiver.part(facts, length);
        }

        @Override
        public FileSink whole(FileFacts facts) throws FerryException {
          begun = true;
          return receiver.whole(facts);
        }
      };
    }

    <E> Predicate<E> recording(Predicate<E> entries) {
      return entry -> {
        begun = true;
        return entries.test(entry);
      };
    }

    /** Whether the call may be sent to another server as if it had never been sent. */
    boolean maySendAgain(FerryException failure) {
      Outage outage = failure.outage();
      if (begun) {
        return false;
      }
      // A server that is unavailable may say so after it has begun to execute the call.
      return outage == null
          ? safe
          : switch (outage) {
            case REFUSED, NO_SUCH_HOST, NO_ROUTE, NO_CONNECTION, NO_TLS, UNTRUSTED -> true;
            case LOST, FOREIGN -> safe;
            case STALLED, OVERDUE -> false;
          };
    }
  }

  private <T> T call(Effects effects, Call<T> call) throws FerryException {
    List<? extends Routes.Route> inTurn = routes.inTurn();
    FerryException last = null;
    for (Routes.Route route : inTurn) {
      try {
        T result = by(route, call);
        route.served();
        return result;
      } catch (FerryException e) {
        if (closed || !isOfServer(e)) {
          throw e;
        }
        route.failed();
        if (!effects.maySendAgain(e)) {
          throw e.withOtherServers();
        }
        last = e;
      }
    }
    throw none(Objects.requireNonNull(last));
  }

  private static <T> T by(Routes.Route route, Call<T> call) throws FerryException {
    Carrier carrier = route.begin();
    try {
      return call.by(carrier);
    } finally {
      route.end();
    }
  }

  /** Whether a failure says that the server cannot be used now, and not what it says of a file. */
  private static boolean isOfServer(FerryException failure) {
    return failure.outage() == null
        ? failure.kind() == ErrorKind.UNAVAILABLE
        : failure.outage() != Outage.OVERDUE;
  }

  private FerryException none(FerryException last) {
    FerryException failure =
        new FerryException(
            last.kind(),
            last.outage(),
            "none of " + servers + " can be used: " + last.getMessage(),
            last);
    Duration wish = last.retryAfter();
    return wish == null ? failure : failure.withRetryAfter(wish);
  }

  @Override
  public Transfer download(StorePath path, PartReceiver receiver, TransferOptions options)
      throws FerryException {
    Effects effects = new Effects(true);
    PartReceiver recording = effects.recording(receiver);
    return call(effects, carrier -> carrier.download(path, recording, options));
  }

  @Override
  public Transfer upload(FileSource source, StorePath path, TransferOptions options)
      throws FerryException {
    return call(new Effects(false), carrier -> carrier.upload(source, path, options));
  }

  @Override
  public UploadStatus uploadStatus(UploadId id, CallLimits limits) throws FerryException {
    return call(new Effects(true), carrier -> carrier.uploadStatus(id, limits));
  }

  @Override
  public void cancelUpload(UploadId id, CallLimits limits) throws FerryException {
    boolean unused =
        call(
            new Effects(true),
            carrier -> {
              carrier.cancelUpload(id, limits);
              return true;
            });
  }

  @Override
  public FileFacts stat(StorePath path, Digest.@Nullable Algorithm digest, CallLimits limits)
      throws FerryException {
    return call(new Effects(true), carrier -> carrier.stat(path, digest, limits));
  }

  @Override
  public FileFacts readNow(StorePath path, long size, Digest.Algorithm digest, CallLimits limits)
      throws FerryException {
    return call(new Effects(true), carrier -> carrier.readNow(path, size, digest, limits));
  }

  @Override
  public boolean list(
      StorePath directory, boolean tree, Predicate<FileFacts> entries, CallLimits limits)
      throws FerryException {
    Effects effects = new Effects(true);
    Predicate<FileFacts> recording = effects.recording(entries);
    return call(effects, carrier -> carrier.list(directory, tree, recording, limits));
  }

  @Override
  public void change(Change change, CallLimits limits) throws FerryException {
    boolean unused =
        call(
            new Effects(false),
            carrier -> {
              carrier.change(change, limits);
              return true;
            });
  }

  @Override
  public void close() {
    closed = true;
    routes.close();
  }
}
