package dev.ferry.lab.network;

import dev.ferry.core.ByteSize;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.network.Network;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses networks as people type them. */
public final class Networks {
  /** The names of the presets. */
  public static final String NAMES = "lan, metro, country, continent, mobile or wifi";

  private static final String BEFORE_PERCENT = "rtt=20ms,rate=1gbit,loss=0.1";
  private static final String AFTER_PERCENT =
      ",queue=1MiB,congestion=cubic, or " + NAMES + ", with such values or without";

  /** The accepted forms, for option descriptions, which are format strings. */
  public static final String FORMS_AS_FORMAT = BEFORE_PERCENT + "%%" + AFTER_PERCENT;

  private static final String FORMS = BEFORE_PERCENT + "%" + AFTER_PERCENT;

  private static final Map<String, String> PRESETS =
      Map.of(
          "lan", "rtt=200us,rate=10gbit",
          "metro", "rtt=5ms,rate=1gbit",
          "country", "rtt=20ms,rate=1gbit",
          "continent", "rtt=100ms,rate=200mbit",
          "mobile", "rtt=60ms,rate=30mbit,loss=0.5%",
          "wifi", "rtt=5ms,rate=200mbit,loss=0.1%");

  private static final String CUSTOM = "custom";

  private static final Pattern NUMBER =
      Pattern.compile("(?<number>\\d{1,9}(?:\\.\\d{1,6})?)\\s?(?<unit>[a-z%]*)");

  private static final Map<String, Double> MILLIS = Map.of("us", 1e-3, "ms", 1.0, "s", 1e3);
  private static final Map<String, Double> MBITS = Map.of("kbit", 1e-3, "mbit", 1.0, "gbit", 1e3);
  private static final Map<String, Double> PERCENTS = Map.of("%", 1.0, "", 1.0);

  /** Longer round trips would only be mistyped ones. */
  private static final double MOST_MILLIS = 10_000;

  private static final double MOST_MBIT = 100_000;
  private static final double LEAST_MBIT = 0.1;
  private static final double MOST_LOSS = 50;

  /** A smaller queue would hold no large packet. */
  private static final long LEAST_QUEUE = 1_500;

  private static final long MOST_QUEUE = 1L << 30;

  private Networks() {}

  /**
   * Parses a network, for instance {@code metro}, {@code rtt=20ms,loss=0.1%} or {@code
   * country,congestion=cubic}. What is not given is: no delay, no limit of the rate, no loss, a
   * queue of 1 MiB, and the congestion control that the system uses.
   *
   * @throws LabException if the text is no network, with what it could be
   */
  public static Network parse(String text) throws LabException {
    String typed = text.strip().toLowerCase(Locale.ROOT);
    String first = typed.split(",", 2)[0].strip();
    String preset = PRESETS.get(first);
    Map<String, String> values = new LinkedHashMap<>();
    for (String word :
        (preset == null ? typed : preset + typed.substring(first.length())).split(",", -1)) {
      put(values, word.strip());
    }
    String congestion = values.get("congestion");
    String rate = values.get("rate");
    return new Network(
        PRESETS.containsKey(typed) ? typed : CUSTOM,
        number("rtt", values.getOrDefault("rtt", "0ms"), MILLIS, 0, MOST_MILLIS),
        rate == null ? null : (Double) number("rate", rate, MBITS, LEAST_MBIT, MOST_MBIT),
        number("loss", values.getOrDefault("loss", "0%"), PERCENTS, 0, MOST_LOSS),
        queue(values.getOrDefault("queue", "1MiB")),
        congestion == null ? null : congestion(congestion));
  }

  private static void put(Map<String, String> values, String word) throws LabException {
    int equals = word.indexOf('=');
    String key = equals < 0 ? word : word.substring(0, equals);
    if (equals < 0 || !List.of("rtt", "rate", "loss", "queue", "congestion").contains(key)) {
      throw LabException.usage("--network: '" + word + "' is not a network; give " + FORMS);
    }
    values.put(key, word.substring(equals + 1));
  }

  private static double number(
      String key, String text, Map<String, Double> units, double least, double most)
      throws LabException {
    Matcher matcher = NUMBER.matcher(text.replace("bit/s", "bit"));
    Double unit = matcher.matches() ? units.get(matcher.group("unit")) : null;
    double value = unit == null ? -1 : Double.parseDouble(matcher.group("number")) * unit;
    if (value < least || value > most) {
      throw LabException.usage(
          "--network: %s is '%s'; give %s"
              .formatted(
                  key,
                  text,
                  switch (key) {
                    case "rtt" -> "0 to 10s, such as 20ms or 200us";
                    case "rate" -> "100kbit to 100gbit, such as 200mbit";
                    default -> "0% to 50%, such as 0.1%";
                  }));
    }
    return value;
  }

  private static long queue(String text) throws LabException {
    @Nullable Long bytes;
    try {
      bytes = ByteSize.parse(text);
    } catch (IllegalArgumentException e) {
      // Refused below, as a size out of range is.
      bytes = null;
    }
    if (bytes == null || bytes < LEAST_QUEUE || bytes > MOST_QUEUE) {
      throw LabException.usage(
          "--network: queue is '%s'; give 1500 bytes to 1 GiB, such as 1MiB".formatted(text));
    }
    return bytes;
  }

  private static String congestion(String text) throws LabException {
    if (!text.matches("[a-z][a-z0-9_]{1,14}")) {
      throw LabException.usage(
          "--network: congestion is '%s'; give one that the kernel has, such as cubic or bbr"
              .formatted(text));
    }
    return text;
  }
}
