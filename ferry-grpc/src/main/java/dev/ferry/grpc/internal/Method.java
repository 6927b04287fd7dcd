package dev.ferry.grpc.internal;

/**
 * How a gRPC peer handles the bytes of a chunk. All methods use the same wire format and
 * interoperate.
 */
public enum Method {
  /**
   * Generated messages, a new array per chunk, and the default settings of grpc-java. This is the
   * usual way to use gRPC.
   */
  DEFAULT("Default"),
  /** The default settings with a custom marshaller over pooled arrays: one copy per chunk. */
  RENTED_ARRAY("RentedArray"),
  /**
   * Hand-off of pooled direct buffers on a tuned transport: no copy if the transport supports it.
   */
  ZERO_COPY("ZeroCopy");

  private final String label;

  Method(String label) {
    this.label = label;
  }

  /** Returns the name of the method in tables. */
  public String label() {
    return label;
  }
}
