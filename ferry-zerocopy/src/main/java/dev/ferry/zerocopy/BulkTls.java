package dev.ferry.zerocopy;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/**
 * A TLS context for grpc-java whose engines decrypt all records of a read at once.
 *
 * <p>grpc-java makes its TLS handler from an engine of {@code newEngine}. On BoringSSL such an
 * engine keeps to the contract of the JDK: one record of 16 KiB a call, and so a buffer, a pass
 * through the pipeline and a part of a message for each. The engine of a handler that Netty makes
 * has no such limit, so this context returns that one. The JDK has only engines of the first kind.
 */
final class BulkTls extends SslContext {
  private final SslContext context;

  BulkTls(SslContext context) {
    this.context = context;
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator) {
    return context.newHandler(allocator).engine();
  }

  @Override
  public SSLEngine newEngine(ByteBufAllocator allocator, String peerHost, int peerPort) {
    return context.newHandler(allocator, peerHost, peerPort).engine();
  }

  @Override
  public boolean isClient() {
    return context.isClient();
  }

  @Override
  public List<String> cipherSuites() {
    return context.cipherSuites();
  }

  @Override
  @SuppressWarnings("deprecation") // Netty has no other type for it.
  public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
    return context.applicationProtocolNegotiator();
  }

  @Override
  public SSLSessionContext sessionContext() {
    return context.sessionContext();
  }
}
