package dev.ferry.core;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * The input of one try of a test that is about any input. All that is asked of it follows from a
 * seed. Sizes grow with the seeds, so that a failure is met with a small input first. Numbers and
 * sizes are often the least or the greatest that is allowed.
 *
 * <p>Each build tries the same seeds. With the system property {@code ferry.thorough}, which {@code
 * mvn -Pthorough} sets, as many random ones follow, or {@code ferry.batches} times as many. A
 * failure names its seed; with {@code -Dferry.seed=...} a test tries that one alone.
 */
public final class Generated {
  private static final int MOST_SIZES = 100;
  private static final int MOST_SHOWN = 2_000;
  private static final Pattern UNPRINTABLE = Pattern.compile("[^ -~]");

  /** Bits of numbers, where computations overflow. */
  private static final int[] WIDTHS = {0, 7, 8, 15, 16, 31, 32, 63};

  private static final byte[] EXTREME_BYTES = {0, 1, -1, Byte.MIN_VALUE, Byte.MAX_VALUE};

  /** Characters, and parts of them, for which code is seldom made. */
  private static final List<String> UNUSUAL =
      List.of(
          "\0",
          "\1",
          "\t",
          "\n",
          "\r",
          "\r\n",
          "\u001b[31m",
          " ",
          "\"",
          "\\",
          "\u007f",
          "\u0085",
          "\u00a0",
          "\u00ad",
          "\u00df",
          "\u00e9",
          "e\u0301",
          "\u00ff",
          "\u0130",
          "\u0661",
          "\u05d0",
          "\u200b",
          "\u200d",
          "\u2028",
          "\u202e",
          "\u3002",
          "\u65e5",
          "\ud83d",
          "\ude00",
          "\ude00\ud83d",
          "\ud83d\ude00",
          "\udbff\udfff",
          "\ue000",
          "\ufeff",
          "\ufffd",
          "\ufffe",
          "\uffff");

  private final Random random;

  /** The part of the greatest size that sizes have. */
  private final double growth;

  private final List<Object> values = new ArrayList<>();
  private int depth;

  /** What holds for any input. */
  @FunctionalInterface
  public interface Check {
    /** Fails if it does not hold for this one. */
    void of(Generated input) throws Exception;
  }

  private Generated(long seed, double growth) {
    // Neighbouring seeds give neighbouring first numbers.
    random = new Random(seed * Round.SPREAD);
    this.growth = growth;
  }

  /**
   * Checks something with several inputs.
   *
   * @param tries how many seeds each build tries
   * @throws AssertionError at the first input that fails, with its seed and its values
   */
  public static void check(int tries, Check check) {
    int batches = Integer.getInteger("ferry.batches", Round.times(0, 1));
    check(tries, Long.getLong("ferry.seed"), batches, check);
  }

  static void check(int tries, @Nullable Long only, int batches, Check check) {
    int sizes = Math.min(tries, MOST_SIZES);
    if (only != null) {
      check(only, sizes, check);
      return;
    }
    Random firsts = new Random();
    for (int batch = 0; batch <= batches; batch++) {
      long first = batch == 0 ? 0 : (long) sizes * firsts.nextInt();
      for (int i = 0; i < tries; i++) {
        check(first + i, sizes, check);
      }
    }
  }

  private static void check(long seed, int sizes, Check check) {
    double growth = Math.min(1, 2.0 * (Math.floorMod(seed, sizes) + 1) / sizes);
    Generated input = new Generated(seed, growth);
    try {
      check.of(input);
    } catch (TestAbortedException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(
          "with -Dferry.seed=%d (%s): %s".formatted(seed, input.shown(), e.getMessage()), e);
    }
  }

  private String shown() {
    String shown = values.stream().map(Generated::shown).collect(Collectors.joining(", "));
    return UNPRINTABLE
        .matcher(shown.length() > MOST_SHOWN ? shown.substring(0, MOST_SHOWN) + "..." : shown)
        .replaceAll(found -> "\\\\u{%x}".formatted(found.group().codePointAt(0)));
  }

  private static String shown(Object value) {
    return value instanceof byte[] bytes
        ? bytes.length + " bytes " + HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, 50))
        : value.toString();
  }

  /** Remembers a value for the message of a failure, if it is not a part of another one. */
  private <T> T shown(Supplier<T> generator) {
    depth++;
    T value = generator.get();
    depth--;
    if (depth == 0) {
      values.add(value);
    }
    return value;
  }

  /** Returns a number from the least to the greatest one, both included. */
  public long between(long least, long greatest) {
    return shown(() -> number(least, greatest));
  }

  /** Returns a number from the least to the greatest one, both included. */
  public int between(int least, int greatest) {
    return (int) between((long) least, (long) greatest);
  }

  /** Returns any number. */
  public int anyInt() {
    return between(Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /** Returns any number. */
  public long anyLong() {
    return between(Long.MIN_VALUE, Long.MAX_VALUE);
  }

  private long number(long least, long greatest) {
    int choice = random.nextInt(8);
    long small = random.nextLong() >> random.nextInt(Long.SIZE);
    long number =
        switch (choice) {
          case 0 -> random.nextBoolean() ? least : greatest;
          case 1 -> random.nextBoolean() ? least + 1 : greatest - 1;
          case 2 ->
              ((random.nextBoolean() ? 1L : -1L) << WIDTHS[random.nextInt(WIDTHS.length)])
                  + random.nextInt(-1, 2);
          case 3 -> small;
          case 4 -> least + Math.abs(small);
          default -> uniform(least, greatest);
        };
    return least <= number && number <= greatest ? number : uniform(least, greatest);
  }

  private long uniform(long least, long greatest) {
    if (greatest < Long.MAX_VALUE) {
      return random.nextLong(least, greatest + 1);
    }
    return least > Long.MIN_VALUE ? random.nextLong(least - 1, greatest) + 1 : random.nextLong();
  }

  /** Returns a number from the least to the greatest one, both included. */
  public double between(double least, double greatest) {
    return shown(
        () ->
            switch (random.nextInt(8)) {
              case 0 -> random.nextBoolean() ? least : greatest;
              case 1, 2 -> least + (greatest - least) * Math.pow(random.nextDouble(), 8);
              default -> random.nextDouble(least, greatest);
            });
  }

  /** Returns one or the other. */
  public boolean flag() {
    return shown(random::nextBoolean);
  }

  /** Returns one of several values. */
  @SafeVarargs
  public final <T> T of(T... all) {
    return of(List.of(all));
  }

  /** Returns one of several values. */
  public <T> T of(List<T> all) {
    return shown(() -> all.get(random.nextInt(all.size())));
  }

  /** Returns one of the constants. */
  public <E extends Enum<E>> E of(Class<E> all) {
    return of(List.of(all.getEnumConstants()));
  }

  /** Returns a size from nothing to the greatest one, which grows with the seeds. */
  public int size(int greatest) {
    return between(0, (int) Math.ceil(growth * greatest));
  }

  /** Returns a list of such a size, and of the least one at least. */
  public <T> List<T> list(int least, int greatest, Supplier<T> generator) {
    return shown(
        () -> {
          int size = least + size(greatest - least);
          List<T> list = new ArrayList<>();
          while (list.size() < size) {
            list.add(generator.get());
          }
          return list;
        });
  }

  /** Returns strings one after another, in a list of such a size. */
  public String joined(int least, int greatest, Supplier<String> generator) {
    return shown(() -> String.join("", list(least, greatest, generator)));
  }

  /** Returns any byte. */
  public byte anyByte() {
    return (byte) between(Byte.MIN_VALUE, Byte.MAX_VALUE);
  }

  /** Returns bytes, up to so many. */
  public byte[] bytes(int greatest) {
    return shown(
        () -> {
          byte[] bytes = new byte[size(greatest)];
          switch (random.nextInt(8)) {
            case 0 -> Arrays.fill(bytes, EXTREME_BYTES[random.nextInt(EXTREME_BYTES.length)]);
            case 1 -> {
              for (int i = 0; i < bytes.length; i++) {
                bytes[i] = EXTREME_BYTES[random.nextInt(EXTREME_BYTES.length)];
              }
            }
            default -> random.nextBytes(bytes);
          }
          return bytes;
        });
  }

  /** Returns characters of a text, in a string of such a size, and of the least one at least. */
  public String chars(String alphabet, int least, int greatest) {
    return shown(
        () -> {
          StringBuilder text = new StringBuilder();
          for (int size = least + size(greatest - least); size > 0; size--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
          }
          return text.toString();
        });
  }

  /** Returns any text, up to so many UTF-16 units. Surrogates may be alone. */
  public String text(int greatest) {
    return shown(
        () -> {
          int size = size(greatest);
          StringBuilder text = new StringBuilder();
          // Some are of plain characters alone.
          int kinds = random.nextInt(3) == 0 ? 1 : 5;
          while (text.length() < size) {
            switch (random.nextInt(kinds)) {
              case 1 -> text.append(UNUSUAL.get(random.nextInt(UNUSUAL.size())));
              case 2 -> text.append((char) random.nextInt(0x100));
              case 3 -> text.append((char) random.nextInt(Character.MAX_VALUE + 1));
              case 4 -> text.appendCodePoint(random.nextInt(Character.MAX_CODE_POINT + 1));
              default -> text.append((char) random.nextInt(' ', 0x7f));
            }
          }
          text.setLength(size);
          return text.toString();
        });
  }
}
