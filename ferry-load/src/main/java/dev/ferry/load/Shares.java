package dev.ferry.load;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values with their shares, such as {@code get:90,put:10}. Immutable.
 *
 * @param values distinct values, at least one
 * @param weights the positive weight of each value; the share is the weight divided by their sum
 */
public record Shares<T>(List<T> values, List<Double> weights) {
  private static final Pattern PART = Pattern.compile("([^:,]+?)(?::(\\d{1,9}(?:\\.\\d{1,9})?))?");

  public Shares {
    values = List.copyOf(values);
    weights = List.copyOf(weights);
    if (values.isEmpty() || weights.stream().anyMatch(weight -> !(weight > 0))) {
      throw new IllegalArgumentException("shares " + values + " " + weights + " are not positive");
    }
  }

  /** Creates shares in the order of a map from each value to its weight. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static <T> Shares<T> of(Map<T, Double> weights) {
    return new Shares<>(List.copyOf(weights.keySet()), List.copyOf(weights.values()));
  }

  /** Returns the weight of each value, in their order. */
  @JsonValue
  Map<T, Double> byValue() {
    Map<T, Double> byValue = new LinkedHashMap<>();
    for (int i = 0; i < values.size(); i++) {
      byValue.put(values.get(i), weights.get(i));
    }
    return byValue;
  }

  /**
   * Parses values with weights, separated by commas. The weight is 1 where it is left out.
   *
   * @param parser parses a value, or throws an {@link IllegalArgumentException} that quotes it
   * @throws IllegalArgumentException if the text has another form; the message is one line
   */
  public static <T> Shares<T> parse(String text, Function<String, T> parser) {
    Map<T, Double> weights = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      Matcher matcher = PART.matcher(part.strip());
      if (!matcher.matches()) {
        throw new IllegalArgumentException(
            "'" + part + "' is no value with a share, such as get:90 or 4K:50");
      }
      String weight = matcher.group(2);
      T value = parser.apply(matcher.group(1));
      if (weights.put(value, weight == null ? 1.0 : Double.parseDouble(weight)) != null) {
        throw new IllegalArgumentException("'" + text + "' names " + value + " twice");
      }
    }
    if (weights.containsValue(0.0)) {
      throw new IllegalArgumentException("'" + text + "': a share is 0; leave it out instead");
    }
    return of(weights);
  }

  /** The share of a value, above 0 and at most 1. */
  double share(int index) {
    return weights.get(index) / weights.stream().mapToDouble(Double::doubleValue).sum();
  }

  /**
   * Chooses a value.
   *
   * @param uniform from 0, below 1
   * @return its index
   */
  int choose(double uniform) {
    double left = uniform * weights.stream().mapToDouble(Double::doubleValue).sum();
    for (int i = 0; i < weights.size() - 1; i++) {
      left -= weights.get(i);
      if (left < 0) {
        return i;
      }
    }
    return weights.size() - 1;
  }
}
