package dev.ferry.zerocopy;

import io.grpc.InternalConfiguratorRegistry;

/**
 * Detects interceptors or tracers that this process installs in every channel and server, as
 * tracing libraries do. They would count several messages that are sent together as one.
 *
 * <p>In such a process each message should be handed off by itself, as {@link FileSender} does.
 * Thread-safe.
 */
public final class ForeignTracers {
  /** Cached, because a failed class lookup is slow. */
  private static final boolean CENSUS = findCensus();

  private static final boolean HAS_REGISTRY = hasRegistry();

  private ForeignTracers() {}

  /**
   * Returns true if a global configurator is registered, grpc-census is on the class path, or the
   * version of grpc-java has no registry of configurators, so that nobody knows.
   */
  public static boolean present() {
    return CENSUS || !HAS_REGISTRY || !InternalConfiguratorRegistry.getConfigurators().isEmpty();
  }

  private static boolean hasRegistry() {
    try {
      return InternalConfiguratorRegistry.getConfigurators() != null;
    } catch (LinkageError e) {
      return false;
    }
  }

  /** grpc-java looks up this class name and traces every call if it finds the class. */
  private static boolean findCensus() {
    try {
      Class.forName(
          "io.grpc.census.InternalCensusTracingAccessor",
          false,
          ForeignTracers.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      // The usual case.
      return false;
    }
  }
}
