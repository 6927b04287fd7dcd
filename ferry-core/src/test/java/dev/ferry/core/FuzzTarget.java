package dev.ferry.core;

import org.junit.jupiter.api.Test;

/**
 * A test that gives bytes of a stranger to code that parses what others send. The inputs of its
 * corpus, {@code src/test/corpus/NAME} for {@code NAMETest}, run in every build. They were found by
 * Jazzer, which looks for more in a thorough build ({@link Fuzzing}).
 *
 * <p>A class of its own for each parser, with a constructor without parameters.
 */
public interface FuzzTarget {
  /**
   * Has one input parsed, and fails if something does not hold: it throws another exception than it
   * may, returns what is wrong, or does not release a buffer. The same input always does the same.
   */
  void parse(byte[] input) throws Exception;

  /** Parses the corpus; in a thorough build, new inputs as well. */
  @Test
  default void parse_hostileInput_holds() throws Exception {
    Fuzzing.run(this);
  }
}
