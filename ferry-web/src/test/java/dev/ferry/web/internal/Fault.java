package dev.ferry.web.internal;

import com.google.protobuf.ByteString;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.TestFiles;
import dev.ferry.web.WebFormat;
import dev.ferry.web.internal.HostileServer.End;
import dev.ferry.wire.internal.contract.Limits;
import dev.ferry.wire.internal.v1.FileFacts;
import dev.ferry.wire.internal.v1.FilePart;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** What is wrong with the response to a download, and the error kinds that a client may report. */
enum Fault {
  NONE,
  NO_STATUS(ErrorKind.INCOMPLETE, ErrorKind.UNAVAILABLE),
  STATUS_IS_NO_NUMBER(ErrorKind.INTERNAL),
  TRAILERS_CUT(ErrorKind.INCOMPLETE),
  TRAILERS_WITHOUT_STATUS(ErrorKind.INTERNAL, ErrorKind.INCOMPLETE),
  TRAILERS_ARE_NO_LINES(ErrorKind.INTERNAL),
  TRAILERS_TOO_LONG(ErrorKind.TOO_LARGE),
  SOMETHING_BEHIND_TRAILERS(ErrorKind.INTERNAL),
  MESSAGE_CUT(ErrorKind.INCOMPLETE),
  LENGTH_OF_4_GIB(ErrorKind.TOO_LARGE),
  MESSAGE_OVER_THE_LIMIT(ErrorKind.TOO_LARGE),
  STRANGE_FLAGS(ErrorKind.INTERNAL),
  UNKNOWN_ENCODING(ErrorKind.INTERNAL),
  NOT_COMPRESSED_AS_SAID(ErrorKind.INVALID_REQUEST),
  COMPRESSED_UNSAID(ErrorKind.INTERNAL),
  GZIP_BOMB(ErrorKind.INVALID_REQUEST, ErrorKind.TOO_LARGE),
  EXPANDS(ErrorKind.TOO_LARGE),
  MORE_THAN_ANNOUNCED(ErrorKind.INCOMPLETE),
  BAD_BASE64(ErrorKind.INTERNAL),
  BASE64_CUT(ErrorKind.INCOMPLETE),
  EMPTY(ErrorKind.INCOMPLETE, ErrorKind.UNAVAILABLE),
  NO_GRPC(ErrorKind.INTERNAL),
  HTTP_503(ErrorKind.UNAVAILABLE),
  STALLS(ErrorKind.DEADLINE_EXCEEDED),
  CLOSES(ErrorKind.UNAVAILABLE);

  /** Of the file that is sent. */
  static final byte[] CONTENT = TestFiles.random(10, 1);

  private static final int BOMB_MEBIBYTES = 600;

  /** More than a file may expand to. */
  private static final int ZEROS_MEBIBYTES = 15;

  private static final String OK = "grpc-status: 0\r\n";

  private final List<ErrorKind> kinds;

  Fault(ErrorKind... kinds) {
    this.kinds = List.of(kinds);
  }

  List<ErrorKind> kinds() {
    return kinds;
  }

  boolean concerns(WebFormat format) {
    return switch (this) {
      case BAD_BASE64, BASE64_CUT -> format == WebFormat.GRPC_WEB_TEXT;
      default -> true;
    };
  }

  HostileServer.Response response(WebFormat format) {
    if (this == NO_GRPC) {
      byte[] page = "<html>hello</html>".getBytes(StandardCharsets.US_ASCII);
      return new HostileServer.Response(
          200, Map.of("content-type", "text/html"), page, End.ORDERLY);
    }
    if (this == HTTP_503) {
      return new HostileServer.Response(503, Map.of(), new byte[0], End.ORDERLY);
    }
    byte[] body = body();
    End end =
        switch (this) {
          case CLOSES -> End.CUT;
          case STALLS -> End.NEVER;
          default -> End.ORDERLY;
        };
    return new HostileServer.Response(
        200, head(format), format == WebFormat.GRPC_WEB_TEXT ? text(body) : body, end);
  }

  private Map<String, String> head(WebFormat format) {
    Map<String, String> head = new HashMap<>();
    head.put(
        "content-type",
        format == WebFormat.GRPC_WEB
            ? "application/grpc-web+proto"
            : "application/grpc-web-text+proto");
    if (this != COMPRESSED_UNSAID) {
      head.put("grpc-encoding", this == UNKNOWN_ENCODING ? "snappy" : "gzip");
    }
    return head;
  }

  private byte[] text(byte[] body) {
    byte[] text = Base64.getEncoder().encode(body);
    if (this == BAD_BASE64) {
      text[text.length / 2] = '!';
    }
    return this == BASE64_CUT ? java.util.Arrays.copyOf(text, text.length - 1) : text;
  }

  private byte[] body() {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    if (this == EMPTY) {
      return new byte[0];
    }
    FileFacts.Builder facts = FileFacts.newBuilder().setName("f");
    if (this != EXPANDS) {
      facts.setSize(CONTENT.length);
    }
    body.writeBytes(frame(0, FilePart.newBuilder().setFacts(facts).build().toByteArray()));
    byte[] chunk = chunk(CONTENT);
    switch (this) {
      case MESSAGE_CUT, STALLS, CLOSES -> body.write(frame(0, chunk), 0, 12);
      case LENGTH_OF_4_GIB -> body.writeBytes(new byte[] {0, -1, -1, -1, -1, 1, 2, 3});
      case MESSAGE_OVER_THE_LIMIT -> body.writeBytes(frame(0, chunk(new byte[Limits.MAX_MESSAGE])));
      case STRANGE_FLAGS -> body.writeBytes(frame(0x42, chunk));
      case NOT_COMPRESSED_AS_SAID, COMPRESSED_UNSAID -> body.writeBytes(frame(1, chunk));
      case GZIP_BOMB -> body.writeBytes(frame(1, Bomb.GZIP));
      case EXPANDS, MORE_THAN_ANNOUNCED -> {
        for (int i = 0; i < ZEROS_MEBIBYTES; i++) {
          body.writeBytes(frame(1, Bomb.gzip(1)));
        }
      }
      default -> body.writeBytes(frame(0, chunk));
    }
    boolean cut = this == MESSAGE_CUT || this == STALLS || this == CLOSES;
    if (!cut) {
      webTrailers(body);
    }
    return body.toByteArray();
  }

  private void webTrailers(ByteArrayOutputStream body) {
    switch (this) {
      case NO_STATUS -> {}
      case TRAILERS_CUT -> body.write(trailersFrame(OK), 0, 10);
      case TRAILERS_WITHOUT_STATUS -> body.writeBytes(trailersFrame("x: y\r\n"));
      case STATUS_IS_NO_NUMBER -> body.writeBytes(trailersFrame("grpc-status: fine\r\n"));
      case TRAILERS_ARE_NO_LINES -> body.writeBytes(trailersFrame("grpc-status: 0"));
      case TRAILERS_TOO_LONG ->
          body.writeBytes(trailersFrame(OK + "x: " + "y".repeat(100_000) + "\r\n"));
      case SOMETHING_BEHIND_TRAILERS -> {
        body.writeBytes(trailersFrame(OK));
        body.writeBytes(frame(0, chunk(CONTENT)));
      }
      default -> body.writeBytes(trailersFrame(OK));
    }
  }

  private static byte[] trailersFrame(String text) {
    return frame(0x80, text.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] chunk(byte[] bytes) {
    return FilePart.newBuilder().setChunk(ByteString.copyFrom(bytes)).build().toByteArray();
  }

  private static byte[] frame(int flag, byte[] message) {
    return ByteBuffer.allocate(5 + message.length)
        .put((byte) flag)
        .putInt(message.length)
        .put(message)
        .array();
  }

  /** Chunks of zeros. */
  private static final class Bomb {
    /** More than this JVM has memory for. */
    static final byte[] GZIP = gzip(BOMB_MEBIBYTES);

    static byte[] gzip(int mebibytes) {
      ByteArrayOutputStream compressed = new ByteArrayOutputStream();
      try (GZIPOutputStream out = new GZIPOutputStream(compressed, 65536)) {
        byte[] zeros = new byte[1 << 20];
        byte[] chunk = chunk(new byte[1]);
        // The tag of a chunk, and a length of that many bytes.
        out.write(chunk[0]);
        for (long left = (long) mebibytes << 20; left > 0; left >>>= 7) {
          int more = left >>> 7 > 0 ? 0x80 : 0;
          out.write((int) (left & 0x7f) | more);
        }
        for (int i = 0; i < mebibytes; i++) {
          out.write(zeros);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return compressed.toByteArray();
    }
  }
}
