package dev.ferry.web.internal;

import dev.ferry.core.FerryException;
import dev.ferry.grpc.internal.ClientChannel;
import dev.ferry.grpc.internal.message.Framing;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A gRPC-Web channel over HTTP connections. Messages hand off their buffers. Thread-safe. */
final class WebChannel extends Channel implements ClientChannel {
  private final WebConnections connections;
  private final String server;
  private final String basePath;
  private final String protocol;
  private final boolean text;
  private final Framing framing;
  private final Set<ClientCall<?, ?>> running = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * @param server {@code host:port}
   * @param basePath that of the server; empty for none
   * @param protocol the protocol as in {@link dev.ferry.core.Transfer#protocol}
   * @param text whether bodies are base64
   */
  WebChannel(
      WebConnections connections,
      String server,
      String basePath,
      String protocol,
      boolean text,
      Framing framing) {
    this.connections = connections;
    this.server = server;
    this.basePath = basePath;
    this.protocol = protocol;
    this.text = text;
    this.framing = framing;
  }

  @Override
  public <I, O> ClientCall<I, O> newCall(MethodDescriptor<I, O> method, CallOptions options) {
    return new WebClientCall<>(this, method, options);
  }

  @Override
  public String authority() {
    return server;
  }

  @Override
  public Channel channel() {
    return this;
  }

  @Override
  public String protocol() {
    return protocol;
  }

  @Override
  public boolean pings() {
    return false;
  }

  WebConnections connections() {
    return connections;
  }

  /** Returns the path of the URI of a method. */
  String path(MethodDescriptor<?, ?> method) {
    return basePath + "/" + method.getFullMethodName();
  }

  boolean text() {
    return text;
  }

  Framing framing() {
    return framing;
  }

  /** Records that a call has begun. */
  void begun(ClientCall<?, ?> call) {
    running.add(call);
    if (closed) {
      cancel(call);
    }
  }

  /** Records that a call has ended. */
  void over(ClientCall<?, ?> call) {
    running.remove(call);
  }

  /**
   * Cancels running calls and all calls that begin later, then closes the connections. Without the
   * cancellation, a call whose response is not being read would not notice that its connection was
   * closed.
   */
  @Override
  public boolean mayRepeat(FerryException failure, boolean safe) {
    return ConnectionLoss.mayRepeat(failure, safe);
  }

  @Override
  public void close(boolean idle) {
    closed = true;
    running.forEach(WebChannel::cancel);
    connections.close();
  }

  private static void cancel(ClientCall<?, ?> call) {
    call.cancel("the carrier was closed", null);
  }
}
