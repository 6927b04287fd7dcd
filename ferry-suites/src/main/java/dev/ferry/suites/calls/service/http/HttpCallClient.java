package dev.ferry.suites.calls.service.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.lab.model.HostPort;
import dev.ferry.suites.calls.service.CallClient;
import dev.ferry.suites.calls.service.DataRow;
import dev.ferry.suites.calls.service.Item;
import dev.ferry.suites.calls.service.LogRecord;
import dev.ferry.suites.calls.service.User;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Builds the requests and reads the responses of small calls, for any HTTP client. */
public abstract class HttpCallClient implements CallClient {
  /** Media type of request bodies. */
  protected static final String JSON = "application/json";

  private static final int FIRST_SERVER_ERROR = 500;

  private final String server;
  private final String origin;

  /**
   * Creates a client of a server.
   *
   * @param scheme {@code http} or {@code https}
   * @param host a name or an address
   */
  protected HttpCallClient(String scheme, String host, int port) {
    this.server = new HostPort(host, port).toString();
    this.origin = scheme + "://" + server;
  }

  /** {@code host:port}. */
  protected final String server() {
    return server;
  }

  /** The absolute URI of a request. */
  protected final String uri(Request request) {
    return origin + request.path();
  }

  /**
   * A request.
   *
   * @param path path and query of the URI
   * @param accept the accepted media type
   * @param body JSON; null if there is no body
   */
  protected record Request(String path, String accept, byte @Nullable [] body) {
    static Request get(String path) {
      return new Request(path, JSON, null);
    }
  }

  /** Reads the body of a successful response. */
  @FunctionalInterface
  protected interface Reading<T> {
    /** Reads the body to its end. */
    T read(InputStream body) throws IOException;
  }

  /**
   * Sends a request and reads the response to its end, unless reading fails.
   *
   * @throws IOException of the client or of the reading, or a {@link FerryException} if the
   *     response is not successful
   */
  protected abstract <T> T exchange(Request request, Reading<T> reading) throws IOException;

  /** Returns the error of a response that is not successful: its problem, or else its status. */
  protected static FerryException problem(String server, int status, InputStream body)
      throws IOException {
    JsonNode problem = CallJson.tree(body);
    String type = problem.path("type").asText();
    ErrorKind other =
        status >= FIRST_SERVER_ERROR ? ErrorKind.UNAVAILABLE : ErrorKind.INVALID_REQUEST;
    return new FerryException(
        Stream.of(ErrorKind.values())
            .filter(kind -> type.equals(CallJson.Problem.type(kind)))
            .findFirst()
            .orElse(other),
        problem.path("detail").asText(server + ": HTTP " + status));
  }

  /** The same without waiting. */
  protected abstract <T> CompletableFuture<T> exchangeAsync(Request request, Reading<T> reading);

  private static String counted(String route, long count) {
    return route + "?" + CallRoutes.COUNT + "=" + count;
  }

  @Override
  public final List<DataRow> rows(long count) throws FerryException {
    return call(Request.get(counted(CallRoutes.ROWS, count)), CallJson.ROWS::readValue);
  }

  @Override
  public final void eachRow(long count, RowVisitor visitor) throws FerryException {
    Request request = new Request(counted(CallRoutes.ROWS, count), CallRoutes.NDJSON, null);
    Boolean unused =
        call(
            request,
            body -> {
              CallJson.readLines(body, visitor);
              return true;
            });
  }

  @Override
  public final List<Item> items(long count) throws FerryException {
    return call(Request.get(counted(CallRoutes.ITEMS, count)), CallJson.ITEMS::readValue);
  }

  @Override
  public final List<User> users(long page, long size) throws FerryException {
    String path =
        CallRoutes.USERS + "?" + CallRoutes.PAGE + "=" + page + "&" + CallRoutes.SIZE + "=" + size;
    return call(Request.get(path), CallJson.USERS::readValue);
  }

  @Override
  public final long log(LogRecord record) throws FerryException {
    return call(logRequest(record), HttpCallClient::readPlace);
  }

  @Override
  public final CompletableFuture<Long> logAsync(LogRecord record) {
    return async(logRequest(record), HttpCallClient::readPlace);
  }

  private static Request logRequest(LogRecord record) {
    try {
      return new Request(CallRoutes.LOGS, JSON, CallJson.bytes(record));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Long readPlace(InputStream body) throws IOException {
    return CallJson.RECEIPT.<CallJson.Receipt>readValue(body).number();
  }

  @Override
  public final LogRecord logRecord(long number) throws FerryException {
    return call(Request.get(CallRoutes.LOGS + "/" + number), CallJson.LOG::readValue);
  }

  private <T> T call(Request request, Reading<T> reading) throws FerryException {
    try {
      return exchange(request, reading);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private <T> CompletableFuture<T> async(Request request, Reading<T> reading) {
    CompletableFuture<T> result = new CompletableFuture<>();
    CompletableFuture<T> unused =
        exchangeAsync(request, reading)
            .whenComplete(
                (value, failure) -> {
                  if (failure == null) {
                    result.complete(value);
                  } else {
                    result.completeExceptionally(failure(failure));
                  }
                });
    return result;
  }

  /** Converts a failure. */
  final FerryException failure(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof FerryException ferry) {
        return ferry;
      }
      if (t instanceof ConnectException) {
        return new FerryException(
            ErrorKind.UNAVAILABLE, "cannot connect to " + server + "; is the server running?", t);
      }
      if (t instanceof JsonProcessingException json) {
        return new FerryException(
            ErrorKind.INTERNAL,
            server + " sent an unexpected response: " + json.getOriginalMessage(),
            json);
      }
    }
    if (Thread.currentThread().isInterrupted()) {
      return new FerryException(ErrorKind.CANCELLED, "interrupted while waiting", failure);
    }
    return new FerryException(
        ErrorKind.UNAVAILABLE,
        "connection to " + server + " lost: " + failure.getMessage(),
        failure);
  }
}
