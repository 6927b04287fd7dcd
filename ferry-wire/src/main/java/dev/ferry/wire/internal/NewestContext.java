package dev.ferry.wire.internal;

import dev.ferry.wire.ServerTls;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.util.List;
import java.util.function.Function;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/**
 * The TLS context of a server, which gives each new connection the {@linkplain ServerTls#current
 * current} certificate. A new certificate gets a context of its own, because the contexts of Netty
 * keep the first one. Connections keep the context that they began with. Thread-safe.
 */
final class NewestContext extends SslContext {
  private final ServerTls source;
  private final Function<ServerTls, SslContext> contexts;
  private ServerTls made;
  private SslContext context;

  NewestContext(ServerTls source, Function<ServerTls, SslContext> contexts) {
    this.source = source;
    this.contexts = contexts;
    this.made = source;
    this.context = contexts.apply(source);
  }

  /** Returns the context of the current certificate. */
  private synchronized SslContext context() {
    ServerTls current = source.current();
    // Each time that files are read, the key is a new object.
    if (current.key() != made.key()) {
      context = contexts.apply(current);
      made = current;
    }
    return context;
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator) {
    return context().newEngine(allocator);
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator, String peerHost, int peerPort) {
    return context().newEngine(allocator, peerHost, peerPort);
  }

  @Override
  public boolean isClient() {
    return context().isClient();
  }

  @Override
  public List<String> cipherSuites() {
    return context().cipherSuites();
  }

  @Override
  @SuppressWarnings("deprecation") // Netty has no other type for it.
  public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
    return context().applicationProtocolNegotiator();
  }

  @Override
  public SSLSessionContext sessionContext() {
    return context().sessionContext();
  }

  /** Leaves it to the context of Netty, whose own handlers have other engines. */
  @Override
  protected SslHandler newHandler(ByteBufAllocator allocator, boolean startTls) {
    return context().newHandler(allocator);
  }
}
