package dev.ferry.grpc;

import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import java.util.concurrent.atomic.LongAdder;

/** Reads off one call's stream which encoding was negotiated and how many bytes it made. */
final class WireMeter extends ClientStreamTracer {
  private static final Metadata.Key<String> ENCODING =
      Metadata.Key.of("grpc-encoding", Metadata.ASCII_STRING_MARSHALLER);

  private final String encoding;
  private final LongAdder inbound = new LongAdder();
  private final LongAdder outbound = new LongAdder();
  private volatile String inboundEncoding = "identity";
  private volatile boolean outboundCompressed;

  /**
   * Creates the meter of one call.
   *
   * @param encoding what its messages are sent in if they are compressed
   */
  WireMeter(String encoding) {
    this.encoding = encoding;
  }

  Factory factory() {
    return new Factory() {
      @Override
      public ClientStreamTracer newClientStreamTracer(StreamInfo info, Metadata headers) {
        return WireMeter.this;
      }
    };
  }

  @Override
  public void inboundHeaders(Metadata headers) {
    String encoding = headers.get(ENCODING);
    inboundEncoding = encoding == null ? "identity" : encoding;
  }

  @Override
  public void inboundWireSize(long bytes) {
    inbound.add(bytes);
  }

  @Override
  public void outboundMessageSent(int sequence, long wireSize, long uncompressedSize) {
    outbound.add(wireSize);
    outboundCompressed |= wireSize != uncompressedSize;
  }

  /** Bytes of the received messages as they were encoded. */
  long inboundBytes() {
    return inbound.sum();
  }

  /** Bytes of the sent messages as they were encoded. */
  long outboundBytes() {
    return outbound.sum();
  }

  String inboundEncoding() {
    return inboundEncoding;
  }

  String outboundEncoding() {
    return outboundCompressed ? encoding : "identity";
  }
}
