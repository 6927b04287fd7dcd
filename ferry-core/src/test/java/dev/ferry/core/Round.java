package dev.ferry.core;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.TestAbortedException;

/**
 * One run of all tests of a class that has more configurations than a build has time for: the
 * parameter of a {@code @ParameterizedClass}. It says in which configuration a test runs.
 *
 * <p>A configuration is a tuple of options, such as a library, a protocol and a tuning. By default
 * there are as few rounds as it takes for each test to meet each value of each option, and the
 * tests of a round run in different configurations: what one test leaves out, another has. So over
 * a class of some dozens of tests, each value also meets each value of each other option. A class
 * whose rounds are {@linkplain #shared shared} has only one, and each of its tests one
 * configuration. With the system property {@code ferry.thorough}, which {@code mvn -Pthorough}
 * sets, there is one round for each configuration, and each test runs in all of them.
 *
 * <p>The choice depends on the configurations and on the name of the test alone: a test that failed
 * runs in the same configurations again, also by itself.
 *
 * @param <C> the configurations
 */
public final class Round<C> {
  private static final int ATTEMPTS = 100;
  static final long SPREAD = 0x9E3779B97F4A7C15L;

  private final List<List<C>> covers;
  private final int number;

  private Round(List<List<C>> covers, int number) {
    this.covers = covers;
    this.number = number;
  }

  /**
   * The rounds of a test class.
   *
   * @param configurations every one there is
   * @param options the values of one configuration, of each option one, in the same order for all
   */
  public static <C> Stream<Round<C>> of(List<C> configurations, Function<C, List<?>> options) {
    return of(configurations, options, isThorough());
  }

  /** Returns whether this is a thorough run. */
  public static boolean isThorough() {
    return Boolean.getBoolean("ferry.thorough");
  }

  /**
   * One round, also in a thorough run. The tests share the configurations out among themselves.
   *
   * @param configurations every one there is
   */
  public static <C> Round<C> one(List<C> configurations) {
    return new Round<>(configurations.stream().map(List::of).toList(), 0);
  }

  /**
   * One round, in which the tests share the configurations out among themselves: for contracts that
   * have far more tests than configurations, or whose configurations differ in a few tests. In a
   * thorough run, one round for each configuration.
   *
   * @param configurations every one there is
   */
  public static <C> Stream<Round<C>> shared(List<C> configurations) {
    return shared(configurations, isThorough());
  }

  /**
   * Some things to test, so that each value of each option occurs among them; all of them in a
   * thorough run.
   *
   * @param options the values of one of them, of each option one, in the same order for all
   */
  public static <C> Stream<C> some(List<C> all, Function<C, List<?>> options) {
    return isThorough() ? all.stream() : new Covers<>(all, options).cover(0, 0).stream();
  }

  /** How often to repeat random tests and races, by default and in a thorough run. */
  public static int times(int quick, int thorough) {
    return isThorough() ? thorough : quick;
  }

  static <C> Stream<Round<C>> of(
      List<C> configurations, Function<C, List<?>> options, boolean thorough) {
    List<List<C>> covers =
        thorough ? List.of(configurations) : new Covers<>(configurations, options).smallest();
    return IntStream.range(0, covers.get(0).size()).mapToObj(i -> new Round<>(covers, i));
  }

  static <C> Stream<Round<C>> shared(List<C> configurations, boolean thorough) {
    return thorough
        ? of(configurations, configuration -> List.of(), true)
        : Stream.of(one(configurations));
  }

  /** The configuration of a test in this round. */
  public C configuration(TestInfo test) {
    return configuration(name(test.getTestMethod(), test.getDisplayName()));
  }

  private static String name(Optional<Method> method, String displayName) {
    return method.map(Method::getName).orElse("") + displayName;
  }

  C configuration(String test) {
    // The hash of a name that occurs twice in the text, as that of most tests does, is odd.
    long spread = test.hashCode() * SPREAD >>> Integer.SIZE;
    return covers.get((int) (spread % covers.size())).get(number);
  }

  /** Choices of configurations that have each value of each option. */
  private static final class Covers<C> {
    private final List<C> all;

    /** The values of a configuration, with the number of their option. */
    private final Map<C, Set<List<?>>> values = new HashMap<>();

    Covers(List<C> all, Function<C, List<?>> options) {
      this.all = all;
      for (C configuration : all) {
        Set<List<?>> numbered = new HashSet<>();
        for (Object value : options.apply(configuration)) {
          numbered.add(List.of(numbered.size(), value));
        }
        values.put(configuration, numbered);
      }
    }

    /** Many of equal size, as small as it can be if no configuration is to be left out of all. */
    List<List<C>> smallest() {
      for (int size = 1; ; size++) {
        int wanted = size;
        List<List<C>> covers =
            IntStream.range(0, ATTEMPTS)
                .mapToObj(seed -> cover(seed, wanted))
                .filter(cover -> cover.size() == wanted)
                .toList();
        if (covers.stream().flatMap(List::stream).collect(Collectors.toSet()).size()
            == values.size()) {
          return covers;
        }
      }
    }

    /** One of so many configurations, or of more where it takes more, chosen greedily. */
    private List<C> cover(int seed, int size) {
      List<C> left = new ArrayList<>(all);
      // Neighbouring seeds give neighbouring first numbers, and so nearly the same order.
      Collections.shuffle(left, new Random(seed * SPREAD));
      Set<List<?>> covered = new HashSet<>();
      List<C> cover = new ArrayList<>();
      while (!left.isEmpty()) {
        C best = left.stream().reduce((a, b) -> news(b, covered) > news(a, covered) ? b : a).get();
        if (cover.size() >= size && news(best, covered) == 0) {
          break;
        }
        left.remove(best);
        cover.add(best);
        covered.addAll(of(best));
      }
      return cover;
    }

    private long news(C configuration, Set<List<?>> covered) {
      return of(configuration).stream().filter(value -> !covered.contains(value)).count();
    }

    private Set<List<?>> of(C configuration) {
      return values.getOrDefault(configuration, Set.of());
    }
  }

  /** Says in the message of a failure which configuration it came from. */
  public static final class Naming
      implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {
    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure)
        throws Throwable {
      throw named(context, failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(
        ExtensionContext context, Throwable failure) throws Throwable {
      throw named(context, failure);
    }

    @Override
    public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure)
        throws Throwable {
      throw named(context, failure);
    }

    private static Throwable named(ExtensionContext context, Throwable failure) throws Exception {
      Object test = context.getRequiredTestInstance();
      List<Field> rounds =
          ReflectionSupport.findFields(
              test.getClass(),
              field -> field.getType() == Round.class,
              HierarchyTraversalMode.TOP_DOWN);
      if (rounds.isEmpty() || failure instanceof TestAbortedException) {
        return failure;
      }
      Round<?> round = (Round<?>) ReflectionSupport.tryToReadFieldValue(rounds.get(0), test).get();
      Object with = round.configuration(name(context.getTestMethod(), context.getDisplayName()));
      return new AssertionError("with " + with + ": " + failure.getMessage(), failure);
    }
  }

  @Override
  public String toString() {
    return covers.size() == 1
        ? covers.get(0).get(number).toString()
        : "round %d of %d".formatted(number + 1, covers.get(0).size());
  }
}
