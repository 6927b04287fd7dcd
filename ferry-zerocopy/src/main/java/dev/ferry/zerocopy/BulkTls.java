package dev.ferry.zerocopy;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/**
 * A TLS context for grpc-java whose engines decrypt all records of a read at once. It asks for the
 * context behind it for each connection, so that this may be a new one.
 *
 * <p>grpc-java makes its TLS handler from an engine of {@code newEngine}. On BoringSSL such an
 * engine keeps to the contract of the JDK: one record of 16 KiB a call, and so a buffer, a pass
 * through the pipeline and a part of a message for each. The engine of a handler that Netty makes
 * has no such limit, so this context returns that one. The JDK has only engines of the first kind.
 */
final class BulkTls extends SslContext {
  private final Supplier<SslContext> contexts;

  BulkTls(Supplier<SslContext> contexts) {
    this.contexts = contexts;
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator) {
    return contexts.get().newHandler(allocator).engine();
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator, String peerHost, int peerPort) {
    return contexts.get().newHandler(allocator, peerHost, peerPort).engine();
  }

  @Override
  public boolean isClient() {
    return contexts.get().isClient();
  }

  @Override
  public List<String> cipherSuites() {
    return contexts.get().cipherSuites();
  }

  @Override
  @SuppressWarnings("deprecation") // Netty has no other type for it.
  public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
    return contexts.get().applicationProtocolNegotiator();
  }

  @Override
  public SSLSessionContext sessionContext() {
    return contexts.get().sessionContext();
  }
}
