package dev.ferry.lab.report;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.Printable;
import dev.ferry.lab.model.RunDocument;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads and writes {@code run.json}. */
public final class RunJson {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          // The fields are the components of the records. Other methods of the records are not
          // fields.
          .disable(MapperFeature.AUTO_DETECT_IS_GETTERS)
          // A newer version may add fields to the same schema.
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
          .build();

  private RunJson() {}

  /** Returns the document as text. */
  public static String text(RunDocument run) {
    try {
      return JSON.writeValueAsString(run) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a run document is always JSON", e);
    }
  }

  /** Returns the rows of a run, as they stand in its file. */
  static JsonNode rows(RunDocument run) {
    return JSON.valueToTree(run.rows());
  }

  /**
   * Replaces the file atomically, so that a killed process leaves either the old or the new file.
   */
  public static void write(Path file, RunDocument run) throws IOException {
    replace(file, text(run));
  }

  /** Writes a text to a file, which is replaced atomically if it exists. */
  public static void replace(Path file, String text) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.writeString(next, text);
      Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      // It still exists only after a failure.
      Files.deleteIfExists(next);
    }
  }

  /**
   * Reads a run, which may be of anybody: its texts have no character that controls a terminal, its
   * numbers are finite, and it has all that a run has.
   *
   * @throws LabException if the file does not exist or has an unknown format
   */
  public static RunDocument read(Path file) throws LabException {
    if (!Files.isRegularFile(file)) {
      throw LabException.failure(
          file + " does not exist; name a run folder, as bench makes it, that holds a run.json");
    }
    try {
      JsonNode tree = JSON.readTree(file.toFile());
      String schema = tree.path("schema").asText();
      if (!schema.equals(RunDocument.SCHEMA)) {
        throw LabException.failure(
            "%s has schema '%s', this version reads '%s'; use the version that wrote it"
                .formatted(file, schema, RunDocument.SCHEMA));
      }
      RunDocument run = JSON.treeToValue(plain(tree), RunDocument.class);
      String fault = fault(run, "");
      if (fault != null) {
        throw LabException.failure(
            "%s is not a run: %s; name another, or run bench again".formatted(file, fault));
      }
      return run;
    } catch (JsonProcessingException e) {
      throw LabException.failure(
          file + " is not a run" + where(e) + "; name another, or run bench again", e);
    } catch (IOException e) {
      throw LabException.failure(file + " cannot be read; change its permissions", e);
    }
  }

  private static String where(JsonProcessingException e) {
    JsonLocation where = e.getLocation();
    return where == null || where.getLineNr() < 1
        ? " that this version can read"
        : ": it breaks off or is damaged at line " + where.getLineNr();
  }

  /** Returns a copy that can be printed. */
  private static JsonNode plain(JsonNode node) {
    if (node.isTextual()) {
      return JSON.getNodeFactory()
          .textNode(
              Stream.of(node.textValue().split("\n", -1))
                  .map(Printable::of)
                  .collect(Collectors.joining("\n")));
    }
    if (node.isArray()) {
      ArrayNode all = JSON.createArrayNode();
      node.forEach(each -> all.add(plain(each)));
      return all;
    }
    if (node.isObject()) {
      ObjectNode all = JSON.createObjectNode();
      node.properties()
          .forEach(
              each ->
                  all.set(
                      Printable.of(each.getKey()),
                      // These are for a command, and not for a reader.
                      each.getKey().equals("arguments")
                          ? each.getValue()
                          : plain(each.getValue())));
      return all;
    }
    return node;
  }

  /** Returns which value is missing or no number; null if none is. */
  private static @Nullable String fault(@Nullable Object value, String path) {
    if (value == null) {
      return "it has no " + path;
    }
    if (value instanceof Double number && !Double.isFinite(number)) {
      return path + " is " + number;
    }
    String within = path.isEmpty() ? "" : path + ".";
    Map<String, @Nullable Object> parts = new LinkedHashMap<>();
    if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        parts.put(path + "[" + i + "]", list.get(i));
      }
    } else if (value instanceof Map<?, ?> map) {
      map.forEach((name, part) -> parts.put(within + name, part));
    } else if (value instanceof Record) {
      for (RecordComponent component : value.getClass().getRecordComponents()) {
        Object part = part(component, value);
        if (part != null || !component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
          parts.put(within + component.getName(), part);
        }
      }
    }
    return parts.entrySet().stream()
        .map(part -> fault(part.getValue(), part.getKey()))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static @Nullable Object part(RecordComponent component, Object of) {
    try {
      return component.getAccessor().invoke(of);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("the parts of a run document are public", e);
    }
  }
}
