package dev.ferry.lab.report;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ferry.lab.model.LabException;
import dev.ferry.lab.model.RunDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

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
   * Reads a run.
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
      return JSON.treeToValue(tree, RunDocument.class);
    } catch (JsonProcessingException e) {
      throw LabException.failure(
          file + " is no run" + where(e) + "; name another, or run bench again", e);
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
}
