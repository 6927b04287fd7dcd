package dev.ferry.suites.rival.grpcjava;

import io.grpc.CallOptions;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counts the encoded bytes of one call, and notes how they are encoded. Thread-safe. */
final class StockTracer extends ClientStreamTracer {
  private static final Metadata.Key<String> ENCODING =
      Metadata.Key.of("grpc-encoding", Metadata.ASCII_STRING_MARSHALLER);
  private static final String IDENTITY = "identity";

  private final LongAdder inbound = new LongAdder();
  private final LongAdder outbound = new LongAdder();
  private volatile String inboundEncoding = IDENTITY;
  private volatile boolean compresses;

  /** Adds this to the options of the call. */
  CallOptions addTo(CallOptions options) {
    return options.withStreamTracerFactory(
        new Factory() {
          @Override
          public ClientStreamTracer newClientStreamTracer(StreamInfo info, Metadata headers) {
            return StockTracer.this;
          }
        });
  }

  @Override
  public void inboundHeaders(Metadata headers) {
    inboundEncoding = Objects.requireNonNullElse(headers.get(ENCODING), IDENTITY);
  }

  @Override
  public void inboundWireSize(long bytes) {
    inbound.add(bytes);
  }

  @Override
  public void outboundMessageSent(int sequence, long wireSize, long uncompressedSize) {
    outbound.add(wireSize);
    compresses |= wireSize != uncompressedSize;
  }

  long inboundBytes() {
    return inbound.sum();
  }

  long outboundBytes() {
    return outbound.sum();
  }

  String inboundEncoding() {
    return inboundEncoding;
  }

  String outboundEncoding() {
    return compresses ? "gzip" : IDENTITY;
  }
}
