package dev.ferry.suites.rival.jdk;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.suites.calls.service.CallClient.RowVisitor;
import dev.ferry.suites.calls.service.DataRow;
import dev.ferry.suites.calls.service.Item;
import dev.ferry.suites.calls.service.LogRecord;
import dev.ferry.suites.calls.service.User;
import dev.ferry.suites.calls.service.http.CallRoutes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Small calls over HTTP as most make them: java.net.http and Jackson's mapper. Thread-safe.
 *
 * @param client stays the caller's
 * @param server for instance {@code http://127.0.0.1:8080}
 * @param onHead runs at the head of each response, on any thread
 */
public record MappedHttp(HttpClient client, String server, Runnable onHead) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final TypeReference<List<DataRow>> ROWS = new TypeReference<>() {};
  private static final TypeReference<List<Item>> ITEMS = new TypeReference<>() {};
  private static final TypeReference<List<User>> USERS = new TypeReference<>() {};

  private record Receipt(long number) {}

  /** The first items. */
  public List<Item> items(long count) throws IOException {
    String path = CallRoutes.ITEMS + "?" + CallRoutes.COUNT + "=" + count;
    return MAPPER.readValue(send(request(path).build()), ITEMS);
  }

  /** A page of users. */
  public List<User> users(long page, long size) throws IOException {
    String path =
        CallRoutes.USERS + "?" + CallRoutes.PAGE + "=" + page + "&" + CallRoutes.SIZE + "=" + size;
    return MAPPER.readValue(send(request(path).build()), USERS);
  }

  /** Writes a log record, and gives its number. */
  public long log(LogRecord record) throws IOException {
    return number(send(logRequest(record)));
  }

  /** The same without waiting. */
  public CompletableFuture<Long> logAsync(LogRecord record) {
    try {
      return client
          .sendAsync(logRequest(record), this::handler)
          .thenApply(
              response -> {
                try {
                  return number(checked(response).body());
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private HttpRequest logRequest(LogRecord record) throws IOException {
    return request(CallRoutes.LOGS)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(MAPPER.writeValueAsString(record)))
        .build();
  }

  private static long number(String body) throws IOException {
    return MAPPER.readValue(body, Receipt.class).number();
  }

  /** A log record by its number. */
  public LogRecord logRecord(long number) throws IOException {
    return MAPPER.readValue(send(request(CallRoutes.LOGS + "/" + number).build()), LogRecord.class);
  }

  /** Reads rows as an array. */
  public void rows(long count, RowVisitor visitor) throws IOException {
    String body = send(rowsRequest(count, "application/json"));
    MAPPER.readValue(body, ROWS).forEach(row -> visitor.row(row.number(), row.name()));
  }

  /** Reads rows as lines, each as it arrives. */
  public void rowLines(long count, RowVisitor visitor) throws IOException {
    HttpResponse<Stream<String>> response =
        respond(rowsRequest(count, CallRoutes.NDJSON), BodyHandlers.ofLines());
    try (Stream<String> lines = response.body()) {
      lines
          .filter(line -> !line.isEmpty())
          .map(MappedHttp::row)
          .forEach(row -> visitor.row(row.number(), row.name()));
    }
  }

  private static DataRow row(String line) {
    try {
      return MAPPER.readValue(line, DataRow.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("no row: " + line, e);
    }
  }

  private HttpRequest rowsRequest(long count, String accept) {
    String path = CallRoutes.ROWS + "?" + CallRoutes.COUNT + "=" + count;
    return request(path).header("Accept", accept).build();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(server + path));
  }

  private String send(HttpRequest request) throws IOException {
    return respond(request, this::handler).body();
  }

  private <T> HttpResponse<T> respond(HttpRequest request, BodyHandler<T> handler)
      throws IOException {
    try {
      return checked(client.send(request, handler));
    } catch (InterruptedException e) {
      throw FerryException.interrupted("interrupted while waiting", e);
    }
  }

  private BodySubscriber<String> handler(ResponseInfo head) {
    onHead.run();
    return BodyHandlers.ofString().apply(head);
  }

  private <T> HttpResponse<T> checked(HttpResponse<T> response) throws FerryException {
    if (response.statusCode() != 200) {
      throw new FerryException(
          ErrorKind.INTERNAL, "HTTP " + response.statusCode() + ": " + response.body());
    }
    if (response.version() != client.version()) {
      throw new FerryException(
          ErrorKind.INTERNAL, "responded over " + response.version() + ", not " + client.version());
    }
    return response;
  }
}
