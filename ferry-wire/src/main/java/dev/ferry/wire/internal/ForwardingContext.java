package dev.ferry.wire.internal;

import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import javax.net.ssl.SSLSessionContext;

/** A TLS context that makes its engines from another one, and has its properties. */
public abstract class ForwardingContext extends SslContext {
  /** Returns the other context. */
  protected abstract SslContext context();

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
}
