package dev.ferry.suites.calls;

import dev.ferry.core.FerryException;
import dev.ferry.http.HttpProtocol;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.suites.calls.service.CallClient;
import dev.ferry.suites.calls.service.grpc.TunedChannel;
import dev.ferry.suites.calls.service.http.OkHttpCallClient;
import dev.ferry.suites.calls.service.http.UrlCallClient;
import dev.ferry.suites.rival.jdk.MappedHttp;
import dev.ferry.suites.tls.BareTlsClient;
import dev.ferry.suites.tls.LoopbackTls;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.ConnectionSpec;
import okhttp3.EventListener;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * The clients that rows of small calls are made by; each marks the steps of its calls.
 *
 * @param port where the server listens on {@link CallServers#HOST}
 * @param tls null for plain text
 */
record Clients(int port, @Nullable LoopbackTls tls, CallSteps steps) {
  private static final int CLOSE_SECONDS = 5;
  private static final int WARMUP_CALLS_PER_SECOND = 3_000;

  /** A step has ended. */
  void end(String step) {
    steps.end(step);
  }

  /** grpc-java as its documentation has it, on the threads that all its channels share. */
  ManagedChannel stock() {
    return build(NettyChannelBuilder.forAddress(CallServers.HOST, port));
  }

  /** The same, tuned, to an address instead of a name, which a new channel need not look up. */
  ManagedChannel tuned() {
    return build(
        TunedChannel.tune(
            NettyChannelBuilder.forAddress(new InetSocketAddress(CallServers.HOST, port))));
  }

  private ManagedChannel build(NettyChannelBuilder builder) {
    return (tls == null ? builder.usePlaintext() : builder.sslContext(tls.grpc())).build();
  }

  /**
   * What marks the steps of calls over gRPC.
   *
   * @param fresh whether each call has a connection of its own to wait for
   */
  StepTracer tracer(boolean fresh) {
    return new StepTracer(steps, fresh);
  }

  /** Closes a channel as its documentation has it. */
  static void close(ManagedChannel channel) throws IOException {
    try {
      if (!channel.shutdown().awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("a channel does not close");
      }
    } catch (InterruptedException e) {
      throw FerryException.interrupted("interrupted while waiting", e);
    }
  }

  /** Waits for the response of a future stub. */
  static <T> T await(Future<T> response) throws IOException {
    try {
      return response.get();
    } catch (ExecutionException e) {
      throw new IOException("the call failed: " + Reason.ofCause(e), e);
    } catch (InterruptedException e) {
      throw FerryException.interrupted("interrupted while waiting", e);
    }
  }

  /**
   * java.net.http at its defaults, but for the version.
   *
   * @param executor null for one of its own
   */
  HttpClient jdk(HttpClient.Version version, @Nullable Executor executor) {
    HttpClient.Builder builder = HttpClient.newBuilder().version(version);
    if (tls != null) {
      builder.sslContext(tls.jdk());
    }
    if (executor != null) {
      builder.executor(executor);
    }
    return builder.build();
  }

  /**
   * Ends clients that were not closed. JDK 17's cannot be closed: its threads and connections end
   * when it is garbage-collected.
   */
  static void collect() {
    System.gc();
  }

  /**
   * Adapts a profile to calls that each have their own client. The warm-up is a number of calls per
   * second of the profile's warm-up, the same in every row. If it were a time, the row with the
   * most expensive client would make the fewest calls, and its code would be compiled least.
   *
   * @param callsPerSample calls of a sample, which is one operation of the warm-up
   */
  static Settings warmedByCalls(Settings profile, int callsPerSample) {
    long calls = TimeUnit.MILLISECONDS.toSeconds(WARMUP_CALLS_PER_SECOND * profile.warmupMillis());
    int operations = (int) (calls / callsPerSample);
    return operations == 0
        ? profile
        : profile.withWarmupOperations(operations).withMaxWarmupOperations(operations);
  }

  /** Calls over java.net.http, with Jackson's mapper. */
  MappedHttp mapped(HttpClient client) {
    String scheme = tls == null ? "http://" : "https://";
    return new MappedHttp(
        client, scheme + CallServers.HOST + ":" + port, () -> steps.end(CallSteps.FIRST_BYTE));
  }

  /** Closes java.net.http if it can be closed, which is from JDK 21 on. */
  void close(HttpClient client) throws IOException {
    if (client instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception e) {
        throw new IOException("the client does not close: " + e.getMessage(), e);
      }
      steps.end(CallSteps.CLOSE);
    }
  }

  /** OkHttp, tuned. */
  CallClient okHttp(HttpProtocol protocol, boolean fresh) {
    OkHttpClient.Builder builder =
        OkHttpCallClient.settings(protocol).eventListenerFactory(call -> new OkSteps(fresh));
    if (tls == null) {
      // Without it the client would load every certificate that the JDK trusts.
      builder.connectionSpecs(List.of(ConnectionSpec.CLEARTEXT));
    } else {
      builder.sslSocketFactory(tls.jdk().getSocketFactory(), tls.trust().trust());
    }
    return OkHttpCallClient.of(
        tls == null ? "http" : "https", CallServers.HOST, port, builder.build());
  }

  /** HttpURLConnection, a connection for each call. */
  CallClient url() {
    return new UrlCallClient(
        CallServers.HOST,
        port,
        tls == null ? null : tls.jdk(),
        new UrlCallClient.Listener() {
          @Override
          public void connected() {
            steps.end(CallSteps.CONNECT);
          }

          @Override
          public void responded() {
            steps.end(CallSteps.FIRST_BYTE);
          }
        });
  }

  /** A TLS socket without a protocol. */
  BareTlsClient bare() throws IOException {
    return BareTlsClient.toItems(port, Objects.requireNonNull(tls).bare());
  }

  private final class OkSteps extends EventListener {
    private final boolean fresh;

    OkSteps(boolean fresh) {
      this.fresh = fresh;
    }

    @Override
    public void connectEnd(
        Call call, InetSocketAddress address, Proxy proxy, @Nullable Protocol protocol) {
      // It comes after the handshake of TLS.
      if (fresh) {
        steps.end(CallSteps.CONNECT);
      }
    }

    @Override
    public void responseHeadersStart(Call call) {
      steps.end(CallSteps.FIRST_BYTE);
    }
  }
}
