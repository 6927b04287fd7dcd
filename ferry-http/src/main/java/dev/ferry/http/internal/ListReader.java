package dev.ferry.http.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.Sha256;
import dev.ferry.core.internal.StallWatch;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.IOException;
import java.io.InputStream;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads a list of any length entry by entry. All values in it are limited in size.
 *
 * @param call the call that can end the list early
 * @param name the name of the directory, for messages
 */
public record ListReader(Call call, String name) {
  /** A path has at most 4096 bytes. JSON escapes may lengthen it by a factor of six. */
  private static final int MAX_STRING = 32 * 1024;

  private static final int MAX_FIELD_NAME = 1000;
  private static final int MAX_DEPTH = 10;

  /** The limits of what a client reads. */
  static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(MAX_STRING)
                  .maxNameLength(MAX_FIELD_NAME)
                  .maxNestingDepth(MAX_DEPTH)
                  .build())
          // Otherwise the parser would cache every field name that a server invents.
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .build();

  /**
   * Reads a body.
   *
   * @param entries receives the entries one at a time; returns false to end the list
   */
  public void read(InputStream body, Predicate<FileFacts> entries) throws IOException {
    // The caller closes the body.
    try (JsonParser json = JSON.createParser(body).disable(JsonParser.Feature.AUTO_CLOSE_SOURCE)) {
      if (json.nextToken() != JsonToken.START_ARRAY) {
        throw unreadable("it is not a JSON array", null);
      }
      while (json.nextToken() != JsonToken.END_ARRAY) {
        call.check();
        FileFacts next = entry(json);
        StallWatch watch = call.report().watch();
        watch.working(true);
        boolean more = entries.test(next);
        watch.working(false);
        if (!more) {
          return;
        }
      }
      Call.drain(body);
    } catch (JsonEOFException e) {
      throw new FerryException(ErrorKind.INCOMPLETE, name + ": the server's list ends early", e);
    } catch (JsonProcessingException e) {
      throw unreadable(e.getOriginalMessage(), e);
    }
  }

  private FileFacts entry(JsonParser json) throws IOException {
    String path = null;
    long size = 0;
    Instant lastModified = FileFacts.UNKNOWN_TIME;
    LeftOut leftOut = null;
    boolean directory = false;
    Integer mode = null;
    String link = null;
    Sha256 digest = null;
    if (json.currentToken() != JsonToken.START_OBJECT) {
      throw unreadable("an entry is not a JSON object", null);
    }
    try {
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        json.nextToken();
        switch (field) {
          case "name" -> path = text(json);
          case "size" -> size = json.getLongValue();
          case "lastModified" -> lastModified = HttpRoutes.time(text(json));
          case "directory" -> directory = json.getBooleanValue();
          case "mode" -> mode = HttpRoutes.mode(text(json));
          case "link" -> link = text(json);
          case "leftOut" -> leftOut = HttpRoutes.leftOut(text(json));
          case "sha256" -> digest = digest(HexFormat.of().parseHex(text(json)));
          default -> json.skipChildren();
        }
      }
    } catch (DateTimeException | IllegalArgumentException e) {
      throw unreadable(String.valueOf(e.getMessage()), e);
    }
    if (path == null || size < 0) {
      throw unreadable(
          path == null ? "an entry has no name" : "an entry has a negative size", null);
    }
    return new FileFacts(
        path, size, lastModified, directory, digest, null, null, leftOut, mode, link);
  }

  private String text(JsonParser json) throws IOException {
    if (json.currentToken() != JsonToken.VALUE_STRING) {
      throw unreadable("the " + json.currentName() + " of an entry is not text", null);
    }
    return json.getText();
  }

  private Sha256 digest(byte[] bytes) throws FerryException {
    try {
      return Sha256.of(bytes);
    } catch (FerryException e) {
      // The error kind of this exception would blame the request.
      throw unreadable(String.valueOf(e.getMessage()), e);
    }
  }

  private FerryException unreadable(String why, @Nullable Exception cause) {
    return new FerryException(
        ErrorKind.INTERNAL, name + ": the server's list cannot be read: " + why, cause);
  }
}
