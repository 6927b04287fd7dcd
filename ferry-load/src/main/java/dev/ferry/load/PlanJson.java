package dev.ferry.load;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import dev.ferry.core.internal.KnownNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;

/** Reads and writes plans as JSON. */
public final class PlanJson {
  /** Reads what it knows, and nothing that has another type. */
  static final ObjectMapper LENIENT =
      JsonMapper.builder()
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(
              DeserializationFeature.ACCEPT_FLOAT_AS_INT,
              DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
          .addModule(
              new SimpleModule()
                  .addSerializer(Instant.class, ToStringSerializer.instance)
                  .addDeserializer(Instant.class, new Times()))
          .build();

  private static final List<String> SHARES = List.of("mix", "files");

  private PlanJson() {}

  private static final class Times extends FromStringDeserializer<Instant> {
    Times() {
      super(Instant.class);
    }

    @Override
    protected Instant _deserialize(String text, DeserializationContext context) {
      return instant(text);
    }
  }

  /** Writes a plan, or what is known of that of another engine. */
  public static ObjectNode of(Workload load) {
    return LENIENT.valueToTree(load);
  }

  /**
   * Reads a plan.
   *
   * @param defaults what the text leaves out
   * @throws IllegalArgumentException if it is no plan; the message is one line that names the field
   */
  public static Plan parse(String text, Plan defaults) {
    JsonNode json;
    try {
      json = LENIENT.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("is no JSON: " + e.getOriginalMessage(), e);
    }
    if (!(json instanceof ObjectNode fields)) {
      throw new IllegalArgumentException("is no JSON object");
    }
    fields.path("mix").fieldNames().forEachRemaining(OperationName::parse);
    ObjectNode all = of(defaults);
    all.setAll(fields);
    try {
      return LENIENT
          .readerFor(Plan.class)
          .with(
              DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
              DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .readValue(all);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(wrong(all, e), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String wrong(ObjectNode json, JsonProcessingException e) {
    if (e instanceof UnrecognizedPropertyException unknown) {
      String name = unknown.getPropertyName();
      List<String> names = unknown.getKnownPropertyIds().stream().map(String::valueOf).toList();
      return "'" + name + "' is nothing of a plan; " + KnownNames.of(names).hint(name);
    }
    String name =
        e instanceof JsonMappingException mapping && !mapping.getPath().isEmpty()
            ? String.valueOf(mapping.getPath().get(0).getFieldName())
            : "";
    if (e.getCause() instanceof IllegalArgumentException cause && !SHARES.contains(name)) {
      return name.isEmpty() ? String.valueOf(cause.getMessage()) : name + ": " + cause.getMessage();
    }
    String what =
        switch (name) {
          case "mix" -> "no object with a positive number for each operation";
          case "files" -> "no object with a positive number for each number of bytes";
          case "spacing" -> "neither constant nor poisson";
          case "rate", "seconds", "warmUpSeconds" -> "no number";
          default -> "no whole number";
        };
    return "%s: %s is %s".formatted(name, json.path(name), what);
  }

  /** Reads a workload that a worker has kept. */
  static Workload read(JsonNode json) throws JsonProcessingException {
    Class<? extends Workload> type = json.has("engine") ? Workload.OfEngine.class : Plan.class;
    return LENIENT.treeToValue(json, type);
  }

  /**
   * Parses a time.
   *
   * @throws IllegalArgumentException if it is none; the message is one line
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
