package dev.ferry.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.core.internal.KnownNames;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads and writes plans as JSON. */
public final class PlanJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final List<String> NAMES =
      List.of(
          "rate",
          "seconds",
          "warmUpSeconds",
          "spacing",
          "mix",
          "files",
          "seed",
          "workers",
          "startAt",
          "inFlight",
          "connections");

  private static final String ENGINE = "engine";
  private static final String HOSTS = "hosts";

  private PlanJson() {}

  /** Writes a plan, or what is known of that of another engine. */
  public static ObjectNode of(Workload load) {
    if (load instanceof Workload.OfEngine other) {
      ObjectNode json =
          new ObjectNode(JsonNodeFactory.instance)
              .put(ENGINE, other.engine())
              .put("seconds", other.seconds());
      other.hosts().forEach(json.putArray(HOSTS)::add);
      return json;
    }
    return of((Plan) load);
  }

  private static ObjectNode of(Plan plan) {
    ObjectNode json =
        new ObjectNode(JsonNodeFactory.instance)
            .put("rate", plan.rate())
            .put("seconds", plan.seconds())
            .put("warmUpSeconds", plan.warmUpSeconds())
            .put("spacing", plan.spacing().name().toLowerCase(Locale.ROOT));
    put(json.putObject("mix"), plan.mix(), OperationName::text);
    put(json.putObject("files"), plan.files(), bytes -> Long.toString(bytes));
    json.put("seed", plan.seed()).put("workers", plan.workers());
    if (plan.startAt() != null) {
      json.put("startAt", plan.startAt().toString());
    }
    return json.put("inFlight", plan.inFlight()).put("connections", plan.connections());
  }

  private static <T> void put(ObjectNode json, Shares<T> shares, Function<T, String> name) {
    for (int i = 0; i < shares.values().size(); i++) {
      json.put(name.apply(shares.values().get(i)), shares.weights().get(i));
    }
  }

  /**
   * Reads a plan. Properties that are left out are those of a default.
   *
   * @throws IllegalArgumentException if the text is no plan; the message is one line
   */
  public static Plan parse(String text, Plan defaults) {
    JsonNode json;
    try {
      json = MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("is no JSON: " + e.getOriginalMessage(), e);
    }
    if (!json.isObject()) {
      throw new IllegalArgumentException("is no JSON object");
    }
    json.fieldNames()
        .forEachRemaining(
            name -> {
              if (!NAMES.contains(name)) {
                throw new IllegalArgumentException(
                    "'" + name + "' is nothing of a plan; " + KnownNames.of(NAMES).hint(name));
              }
            });
    return parse(json, defaults);
  }

  /** Reads what {@link #of} has written of another engine; null if the plan is a {@link Plan}. */
  static Workload.@Nullable OfEngine ofEngine(JsonNode json) {
    if (!json.has(ENGINE)) {
      return null;
    }
    List<String> hosts = new ArrayList<>();
    json.path(HOSTS).forEach(host -> hosts.add(host.asText()));
    return new Workload.OfEngine(json.path(ENGINE).asText(), number(json, "seconds", 0), hosts);
  }

  static Plan parse(JsonNode json, Plan defaults) {
    return new Plan(
        number(json, "rate", defaults.rate()),
        number(json, "seconds", defaults.seconds()),
        number(json, "warmUpSeconds", defaults.warmUpSeconds()),
        json.has("spacing") ? spacing(json.path("spacing").asText()) : defaults.spacing(),
        shares(json, "mix", defaults.mix(), OperationName::parse),
        shares(json, "files", defaults.files(), PlanJson::bytes),
        whole(json, "seed", defaults.seed()),
        (int) whole(json, "workers", defaults.workers()),
        json.has("startAt") ? instant(json.path("startAt").asText()) : defaults.startAt(),
        (int) whole(json, "inFlight", defaults.inFlight()),
        (int) whole(json, "connections", defaults.connections()));
  }

  private static double number(JsonNode json, String name, double other) {
    if (!json.has(name)) {
      return other;
    }
    if (!json.path(name).isNumber()) {
      throw new IllegalArgumentException(name + ": " + json.path(name) + " is no number");
    }
    return json.path(name).doubleValue();
  }

  private static long whole(JsonNode json, String name, long other) {
    if (!json.has(name)) {
      return other;
    }
    JsonNode value = json.path(name);
    boolean isSeed = name.equals("seed");
    if (!(isSeed ? value.isIntegralNumber() && value.canConvertToLong() : value.isInt())) {
      throw new IllegalArgumentException(name + ": " + value + " is no whole number");
    }
    return value.longValue();
  }

  private static <T> Shares<T> shares(
      JsonNode json, String name, Shares<T> other, Function<String, T> parser) {
    if (!json.has(name)) {
      return other;
    }
    Map<T, Double> weights = new LinkedHashMap<>();
    json.path(name)
        .properties()
        .forEach(share -> weights.put(parser.apply(share.getKey()), share.getValue().asDouble()));
    try {
      return Shares.of(weights);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          name + ": " + json.path(name) + " is no object with a positive number for each value", e);
    }
  }

  private static long bytes(String text) {
    try {
      return Long.parseUnsignedLong(text) & Long.MAX_VALUE;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("files: '" + text + "' is no number of bytes", e);
    }
  }

  /**
   * Parses the name of a spacing, ignoring case.
   *
   * @throws IllegalArgumentException if there is no such spacing
   */
  private static Plan.Spacing spacing(String text) {
    for (Plan.Spacing spacing : Plan.Spacing.values()) {
      if (spacing.name().equalsIgnoreCase(text)) {
        return spacing;
      }
    }
    throw new IllegalArgumentException("spacing: '" + text + "' is neither constant nor poisson");
  }

  /**
   * Parses a time such as {@code 2026-11-25T18:00:00Z}.
   *
   * @throws IllegalArgumentException if the text is no such time; the message is one line
   */
  public static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is no time in UTC such as 2026-11-25T18:00:00Z", e);
    }
  }
}
