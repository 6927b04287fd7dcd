package dev.ferry.grpc.internal;

/** How a gRPC end treats the bytes of a chunk. All speak the same wire format and can be mixed. */
public enum Method {
  /** Generated messages, a fresh array per chunk, grpc-java's own settings: as most write it. */
  DEFAULT("Default"),
  /** The same settings with a marshaller of our own over pooled arrays: one copy per chunk. */
  RENTED_ARRAY("RentedArray"),
  /** Hand-off of pooled direct buffers on a tuned transport: no copy where it applies. */
  ZERO_COPY("ZeroCopy");

  private final String label;

  Method(String label) {
    this.label = label;
  }

  /** The method's name in tables. */
  public String label() {
    return label;
  }
}
