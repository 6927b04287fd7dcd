package dev.ferry.web.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.local.LocalFileStore;
import dev.ferry.grpc.internal.GrpcFilesServer;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.RawHttp;
import dev.ferry.wire.internal.RawHttp2;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The work of a server for a field that is long and strange is linear in its length. It is compared
 * by the processor time of the server's threads, which a busy machine does not change, and the
 * least of several tries counts.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(600)
class FieldWorkTest {
  private static final int SHORT = 1_500;
  private static final int LONG = 15_000;

  /** More than the ratio of the lengths, and far from that of their squares. */
  private static final int MOST = 12;

  private static final int TRIES = 20;
  private static final int REQUESTS = 2;

  /** The time in nanoseconds below which nothing is wrong, for the requests of a try. */
  private static final long LITTLE = 3_000_000L;

  private static final List<String> FILLINGS =
      List.of(" ", ",", ";", "\"", "/", "%", "(", ", ", ";a=\"\"");

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  @SuppressWarnings("NullAway.Init") // Started before all tests.
  private WebFilesServer web;

  @SuppressWarnings("NullAway.Init") // Started before all tests.
  private GrpcFilesServer grpc;

  @BeforeAll
  void start(@TempDir Path root) throws Exception {
    Files.writeString(root.resolve("f"), "hello");
    LocalFileStore store = LocalFileStore.open(root);
    web = WebFilesServer.start(store, "127.0.0.1", 0, ServerSettings.defaults());
    grpc = GrpcFilesServer.start(store, "127.0.0.1", 0, ServerSettings.defaults());
  }

  @AfterAll
  void stop() {
    web.close();
    grpc.close();
  }

  /** Sends a field of a value. */
  @FunctionalInterface
  private interface Sender {
    void send(String value) throws IOException;
  }

  /** The processor time of all threads but this one, which is the client. */
  private static long otherThreads() {
    long sum = 0;
    for (long id : THREADS.getAllThreadIds()) {
      sum += id == Thread.currentThread().getId() ? 0 : Math.max(0, THREADS.getThreadCpuTime(id));
    }
    return sum;
  }

  private static long cost(Sender sender, String value) throws IOException {
    long before = otherThreads();
    for (int i = 0; i < REQUESTS; i++) {
      sender.send(value);
    }
    return otherThreads() - before;
  }

  private static String filled(String start, String filling, int length) {
    return start + filling.repeat(length / filling.length()) + "b";
  }

  private static void assertLinear(String what, String start, Sender sender) throws IOException {
    for (String filling : FILLINGS) {
      double least = Double.MAX_VALUE;
      for (int i = 0; i < TRIES && least > MOST; i++) {
        long few = Math.max(1, cost(sender, filled(start, filling, SHORT)));
        long many = cost(sender, filled(start, filling, LONG));
        least = Math.min(least, many < LITTLE ? 0 : (double) many / few);
      }
      assertThat(least).as("%s filled with '%s'", what, filling).isLessThanOrEqualTo(MOST);
    }
  }

  private void assertLinear(String request, String field, String start) throws IOException {
    assertLinear(
        request + " " + field,
        start,
        value -> {
          String unused =
              RawHttp.exchange(
                  web.port(), request + " HTTP/1.1\r\n" + field + ": " + value + "\r\n");
        });
  }

  @Test
  void fields_ofARequestForAFile_takeLinearWork() throws IOException {
    for (String field :
        List.of(
            "Accept-Encoding",
            "TE",
            "Range",
            "If-Match",
            "If-None-Match",
            "If-Range",
            "If-Modified-Since",
            "Want-Unencoded-Digest",
            "Cache-Control",
            "Connection",
            "Upgrade",
            "Origin",
            "Traceparent")) {
      assertLinear("GET /files/f", field, "a");
    }
    assertLinear("GET /files/f", "Accept-Encoding", "gzip;q");
    assertLinear("GET /files/f", "Accept-Encoding", "gzip;q=0.");
    assertLinear("GET /files/f", "Authorization", "Basic ");
    assertLinear("GET /files/f", "Authorization", "Bearer a");
    assertLinear("GET /files/f", "Range", "bytes=");
    assertLinear("GET /files/", "Accept", "text/html;q=");
  }

  @Test
  void fields_ofAChange_takeLinearWork() throws IOException {
    for (String field :
        List.of(
            "Content-Encoding",
            "Content-Type",
            "Content-Range",
            "Unencoded-Digest",
            "Repr-Digest",
            "Trailer",
            "Transfer-Encoding",
            "Upload-Complete",
            "Upload-Offset",
            "Upload-Length",
            "Ferry-Upload-Id",
            "Ferry-Link",
            "Ferry-Mode",
            "X-OC-Mtime",
            "Last-Modified")) {
      assertLinear("PUT /files/new", field, "a");
    }
    assertLinear("POST /files/", "Content-Type", "multipart/form-data;");
    assertLinear("MOVE /files/no", "Destination", "/files/");
    assertLinear("MOVE /files/no", "Destination", "http://");
    assertLinear("DELETE /files/no", "If", "(");
    assertLinear("DELETE /files/no", "If", "(<a>) ");
    assertLinear("LOCK /files/f", "Timeout", "Second-1");
    assertLinear("UNLOCK /files/f", "Lock-Token", "<a");
    assertLinear("PROPFIND /files/", "Depth", "1");
  }

  @Test
  void targetsOfRequests_takeLinearWork() throws IOException {
    for (String start : List.of("/files/", "/files/?", "http://", "http://localhost/files/?zip")) {
      assertLinear(
          "the target " + start,
          start,
          value -> {
            String unused = RawHttp.exchange(web.port(), "GET " + value + " HTTP/1.1\r\n");
          });
    }
  }

  @Test
  void fieldsOfCalls_takeLinearWork() throws IOException {
    for (String field :
        List.of(
            "grpc-accept-encoding",
            "grpc-encoding",
            "grpc-timeout",
            "accept-encoding",
            "authorization",
            "traceparent",
            "content-type",
            "user-agent",
            "x")) {
      assertLinear(
          "gRPC-Web " + field,
          "a",
          value -> {
            String type =
                field.equals("content-type") ? "" : "Content-Type: application/grpc-web+proto\r\n";
            String unused =
                RawHttp.exchange(
                    web.port(),
                    "POST /ferry.v1.Files/Stat HTTP/1.1\r\n"
                        + type
                        + field
                        + ": "
                        + value
                        + "\r\nContent-Length: 5\r\n",
                    new byte[5]);
          });
      assertLinear("gRPC " + field, "a", value -> call(field, value));
    }
  }

  private void call(String field, String value) throws IOException {
    String type = field.equals("content-type") ? null : "content-type";
    try (RawHttp2 raw = RawHttp2.open(grpc.port())) {
      byte[] head =
          RawHttp2.head(
              "POST", "/ferry.v1.Files/Stat", "te", "trailers", field, value, "x-last", "x");
      ByteArrayOutputStream block = new ByteArrayOutputStream();
      block.write(head);
      block.write(RawHttp2.fields(type, "application/grpc"));
      raw.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, block.toByteArray());
      raw.send(RawHttp2.DATA, RawHttp2.END_STREAM, 1, new byte[5]);
      while (true) {
        RawHttp2.Frame frame = raw.next();
        if (frame.endsStream()
            || frame.type() == RawHttp2.RST_STREAM
            || frame.type() == RawHttp2.GOAWAY) {
          return;
        }
      }
    } catch (EOFException | SocketException e) {
      // Refused by the end of the connection.
      return;
    }
  }
}
