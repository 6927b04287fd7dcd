package dev.ferry.suites.calls;

import dev.ferry.lab.model.Part;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The times of the steps of calls. Each step ends with a mark, on any thread, and the next one
 * begins there. One call at a time.
 */
class CallSteps {
  /** For invokers that measure no steps. */
  static final CallSteps NONE =
      new CallSteps() {
        @Override
        void end(String step) {
          // Not measured.
        }
      };

  /** The client is made. */
  static final String BUILD = "Build";

  /** The connection stands. */
  static final String CONNECT = "Connect";

  /** The response begins; includes the step before if the client does not report that. */
  static final String FIRST_BYTE = "First byte";

  /** The response is complete and read. */
  static final String ANSWER = "Answer";

  /** The client is closed. */
  static final String CLOSE = "Close";

  private static final double NANOS_PER_MICRO = 1e3;

  private final Map<String, Long> nanos = new LinkedHashMap<>();
  private long last;

  /** Forgets all calls. */
  synchronized void reset() {
    nanos.clear();
  }

  /** A call begins. */
  synchronized void begin() {
    last = System.nanoTime();
  }

  /** A step has ended. */
  void end(String step) {
    add(step);
  }

  private synchronized void add(String step) {
    long now = System.nanoTime();
    nanos.merge(step, now - last, Long::sum);
    last = now;
  }

  private synchronized void addTo(Map<String, Long> sums) {
    nanos.forEach((step, sum) -> sums.merge(step, sum, Long::sum));
  }

  /** Returns the mean time of each step per call, in the order of the steps. */
  static List<Part> parts(List<CallSteps> all, int calls) {
    Map<String, Long> sums = new LinkedHashMap<>();
    all.forEach(steps -> steps.addTo(sums));
    List<Part> parts = new ArrayList<>();
    for (String step : List.of(BUILD, CONNECT, FIRST_BYTE, ANSWER, CLOSE)) {
      Long sum = sums.get(step);
      if (sum != null) {
        parts.add(new Part(step, "us", sum / NANOS_PER_MICRO / calls));
      }
    }
    return parts;
  }
}
