package dev.ferry.grpc.internal;

import dev.ferry.core.internal.StallWatch;
import io.grpc.Attributes;
import io.grpc.ClientStreamTracer;
import io.grpc.Grpc;
import io.grpc.Metadata;
import java.net.SocketAddress;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Records the negotiated encoding and the encoded bytes of one call's stream. For one call.
 * Thread-safe.
 */
public final class WireMeter extends ClientStreamTracer {
  private static final Metadata.Key<String> ENCODING =
      Metadata.Key.of("grpc-encoding", Metadata.ASCII_STRING_MARSHALLER);

  private final String encoding;
  private final StallWatch watch;
  private final LongAdder inbound = new LongAdder();
  private final LongAdder outbound = new LongAdder();
  private volatile String inboundEncoding = "identity";
  private volatile boolean outboundCompressed;
  private volatile @Nullable SocketAddress server;

  /**
   * Creates the meter of one call.
   *
   * @param encoding the encoding of the sent messages if they are compressed
   * @param watch notified of all received data and of every sent message
   */
  public WireMeter(String encoding, StallWatch watch) {
    this.encoding = encoding;
    this.watch = watch;
  }

  /** Returns the tracer factory for the options of the call. */
  public Factory factory() {
    return new Factory() {
      @Override
      public ClientStreamTracer newClientStreamTracer(StreamInfo info, Metadata headers) {
        return WireMeter.this;
      }
    };
  }

  @Override
  public void streamCreated(Attributes transport, Metadata headers) {
    server = transport.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
  }

  /** Returns the server that the call was sent to; null if that is not known, or not yet. */
  @Nullable SocketAddress server() {
    return server;
  }

  @Override
  public void inboundHeaders(Metadata headers) {
    String encoding = headers.get(ENCODING);
    inboundEncoding = encoding == null ? "identity" : encoding;
  }

  @Override
  public void inboundWireSize(long bytes) {
    inbound.add(bytes);
    watch.moved();
  }

  @Override
  public void outboundMessageSent(int sequence, long wireSize, long uncompressedSize) {
    outbound.add(wireSize);
    watch.moved();
    outboundCompressed |= wireSize != uncompressedSize;
  }

  /** Returns the encoded bytes of the received messages. */
  public long inboundBytes() {
    return inbound.sum();
  }

  /** Returns the encoded bytes of the sent messages. */
  public long outboundBytes() {
    return outbound.sum();
  }

  /**
   * Returns the value of {@code grpc-encoding} in the response headers; {@code identity} if the
   * header is absent.
   */
  public String inboundEncoding() {
    return inboundEncoding;
  }

  /**
   * Returns the encoding of the sent messages: {@code identity}, or the encoding of the constructor
   * if messages are compressed.
   */
  public String outboundEncoding() {
    return outboundCompressed ? encoding : "identity";
  }
}
