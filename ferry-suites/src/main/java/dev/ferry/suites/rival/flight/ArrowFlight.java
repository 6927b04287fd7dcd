package dev.ferry.suites.rival.flight;

import dev.ferry.suites.rival.RivalJar;
import java.util.List;

/** The methods of Arrow Flight, and the JVM of their rows. */
public final class ArrowFlight {
  /** Flight at its defaults. */
  public static final String DEFAULT = "ArrowFlight";

  /** Flight as its documents say for speed. */
  public static final String TUNED = "ArrowFlightTuned";

  /** Holds {@code ferry-flight}, Flight and all that they need. */
  public static final RivalJar JAR = RivalJar.beside("ferry-flight.jar");

  /** Arrow does not start without it: it makes direct buffers by reflection. */
  private static final String OPEN_BUFFERS = "--add-opens=java.base/java.nio=ALL-UNNAMED";

  private ArrowFlight() {}

  /** Flags of the JVM of a method. */
  public static List<String> flags(String method) {
    return method.equals(TUNED)
        ? List.of(
            OPEN_BUFFERS,
            "-Darrow.enable_unsafe_memory_access=true",
            "-Darrow.enable_null_check_for_get=false")
        : List.of(OPEN_BUFFERS);
  }
}
