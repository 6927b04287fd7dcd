package dev.ferry.grpc.internal;

import dev.ferry.core.internal.StallWatch;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reads off one call's stream which encoding was negotiated and how many bytes it made. For one
 * call; thread-safe.
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

  /**
   * Creates the meter of one call.
   *
   * @param encoding what its messages are sent in if they are compressed
   */
  public WireMeter(String encoding) {
    this(encoding, StallWatch.none());
  }

  /**
   * The same for a call that is watched.
   *
   * @param watch hears of every piece that comes, and of every message that goes
   */
  WireMeter(String encoding, StallWatch watch) {
    this.encoding = encoding;
    this.watch = watch;
  }

  /** For the options of the call. */
  public Factory factory() {
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
    watch.moved();
  }

  @Override
  public void outboundMessageSent(int sequence, long wireSize, long uncompressedSize) {
    outbound.add(wireSize);
    watch.moved();
    outboundCompressed |= wireSize != uncompressedSize;
  }

  /** Bytes of the received messages as they were encoded. */
  public long inboundBytes() {
    return inbound.sum();
  }

  /** Bytes of the sent messages as they were encoded. */
  public long outboundBytes() {
    return outbound.sum();
  }

  /** What the received messages were announced as: {@code identity} or {@code gzip}. */
  public String inboundEncoding() {
    return inboundEncoding;
  }

  /** What the sent messages were: {@code identity}, or what they are sent in if compressed. */
  public String outboundEncoding() {
    return outboundCompressed ? encoding : "identity";
  }
}
