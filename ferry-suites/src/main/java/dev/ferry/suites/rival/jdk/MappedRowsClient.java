package dev.ferry.suites.rival.jdk;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ferry.calls.CallClient.RowVisitor;
import dev.ferry.calls.DataRow;
import dev.ferry.calls.http.CallRoutes;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.stream.Stream;

/**
 * Rows over HTTP as most clients request them: java.net.http at its defaults but for the version,
 * and Jackson's mapper. Thread-safe.
 */
public final class MappedRowsClient implements AutoCloseable {
  private static final TypeReference<List<DataRow>> ROWS = new TypeReference<>() {};

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ObjectMapper mapper = new ObjectMapper();
  private final String server;

  private MappedRowsClient(String host, int port) {
    server = "http://" + host + ":" + port;
  }

  /** Connects, lazily, in plain text. */
  public static MappedRowsClient connect(String host, int port) {
    return new MappedRowsClient(host, port);
  }

  private HttpRequest request(long count, String accept) {
    String uri = server + CallRoutes.ROWS + "?" + CallRoutes.COUNT + "=" + count;
    return HttpRequest.newBuilder(URI.create(uri)).header("Accept", accept).build();
  }

  /** One array. */
  public void array(long count, RowVisitor visitor) throws IOException {
    try {
      HttpResponse<String> response =
          client.send(request(count, "application/json"), BodyHandlers.ofString());
      requireSuccess(response);
      for (DataRow row : mapper.readValue(response.body(), ROWS)) {
        visitor.row(row.number(), row.name());
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** A line for each row. */
  public void lines(long count, RowVisitor visitor) throws IOException {
    try {
      HttpResponse<Stream<String>> response =
          client.send(request(count, CallRoutes.NDJSON), BodyHandlers.ofLines());
      requireSuccess(response);
      try (Stream<String> lines = response.body()) {
        lines
            .filter(line -> !line.isEmpty())
            .map(this::row)
            .forEach(row -> visitor.row(row.number(), row.name()));
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private DataRow row(String line) {
    try {
      return mapper.readValue(line, DataRow.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("no row: " + line, e);
    }
  }

  private static void requireSuccess(HttpResponse<?> response) throws FerryException {
    if (response.statusCode() != 200) {
      throw new FerryException(ErrorKind.INTERNAL, "HTTP " + response.statusCode());
    }
  }

  private static FerryException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new FerryException(ErrorKind.CANCELLED, "interrupted while waiting", e);
  }

  @Override
  public void close() {
    // JDK 17's client ends when it is no longer referenced.
  }
}
