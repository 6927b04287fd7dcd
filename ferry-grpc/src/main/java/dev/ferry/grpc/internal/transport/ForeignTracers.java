package dev.ferry.grpc.internal.transport;

import io.grpc.InternalConfiguratorRegistry;

/**
 * Whether this process has put interceptors or tracers into every channel and server, as tracing
 * libraries do. They would count several messages that leave at once as one.
 */
public final class ForeignTracers {
  /** Looked up once: a class that is not there takes long to be not found. */
  private static final boolean CENSUS = findCensus();

  private ForeignTracers() {}

  /**
   * True where someone configures every channel and server, or grpc-census is on the class path.
   */
  public static boolean present() {
    return !InternalConfiguratorRegistry.getConfigurators().isEmpty() || CENSUS;
  }

  /** Whether grpc-census is on the class path. */
  static boolean hasCensus() {
    return CENSUS;
  }

  /** grpc-java looks for it by this very name and traces every call where it finds it. */
  private static boolean findCensus() {
    try {
      Class.forName(
          "io.grpc.census.InternalCensusTracingAccessor",
          false,
          ForeignTracers.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
