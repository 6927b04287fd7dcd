package dev.ferry.wire.internal;

import dev.ferry.wire.ServerTls;
import io.netty.handler.ssl.SslContext;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The TLS context of a server, with the {@linkplain ServerTls#current current} certificate. A new
 * certificate gets a context of its own, because the contexts of Netty keep the first one.
 * Connections keep the context that they began with. Thread-safe.
 */
final class NewestContext implements Supplier<SslContext> {
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

  @Override
  public synchronized SslContext get() {
    ServerTls current = source.current();
    // Each time that files are read, the key is a new object.
    if (current.key() != made.key()) {
      context = contexts.apply(current);
      made = current;
    }
    return context;
  }
}
