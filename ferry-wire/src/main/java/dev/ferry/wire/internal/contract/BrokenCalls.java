package dev.ferry.wire.internal.contract;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.CallReport;
import dev.ferry.core.internal.SystemError;
import io.grpc.Status;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Explains statuses that no server has sent. gRPC clients create them if the connection breaks or
 * the response is not a gRPC response; their descriptions are meant for developers of gRPC.
 */
final class BrokenCalls {
  /** Descriptions that grpc-java gives to responses that are not gRPC responses. */
  private static final Pattern FOREIGN =
      Pattern.compile("HTTP status code (\\d{3})|invalid content-type|missing GRPC status");

  private static final Pattern NO_HTTP2 =
      Pattern.compile("http2 exception|not SETTINGS|HTTP/1|expected a SETTINGS", Pattern.DOTALL);

  /** The first bytes of a record by which a server refuses what is not TLS. */
  private static final Pattern TLS_ALERT = Pattern.compile("first \\d+ bytes: 1503");

  private static final String UNSUPPORTED_MEDIA_TYPE = "415";

  private static final Pattern LOST =
      Pattern.compile(
          "io exception|http2 exception|network closed|connection clos|connection .*lost|goaway|rst_stream"
              + "|end of stream|end-of-stream|unexpected eos|stream was reset|negotiation|transport",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private BrokenCalls() {}

  /**
   * Converts the status of a failed call.
   *
   * @param kind the kind that the status code maps to
   * @return null if a server has sent the status
   */
  static @Nullable FerryException failure(
      Status status, ErrorKind kind, Throwable failure, CallReport report) {
    if (SystemError.TOO_MANY_FILES.isCauseOf(status.getCause())) {
      return report.failedConnection(kind, failure);
    }
    String text = String.valueOf(status.getDescription());
    Matcher foreign = FOREIGN.matcher(text);
    if (foreign.find()) {
      String code = foreign.group(1);
      if (UNSUPPORTED_MEDIA_TYPE.equals(code)) {
        return report.foreign(CallReport.Peer.HTTP, failure);
      }
      FerryException found = report.foreign(kind, instead(kind, code), failure);
      return code == null ? found : GrpcErrors.add(found, failure);
    }
    if (NO_HTTP2.matcher(text).find() && !report.begun()) {
      return TLS_ALERT.matcher(String.valueOf(status.getCause())).find()
          ? report.foreign(CallReport.Peer.TLS, failure)
          : report.foreign(ErrorKind.UNAVAILABLE, "does not speak HTTP/2", failure);
    }
    if (text.contains("ALPN")) {
      return report.foreign(
          ErrorKind.UNAVAILABLE, "speaks TLS but no HTTP/2 over it (ALPN), as gRPC needs", failure);
    }
    if (kind != ErrorKind.UNAVAILABLE && !text.contains("RST_STREAM")) {
      return null;
    }
    if (text.startsWith("Keepalive failed")) {
      return report.stalled(Limits.KEEP_ALIVE.plus(Limits.KEEP_ALIVE_TIMEOUT), failure);
    }
    if (text.startsWith("Channel shutdown")) {
      return new FerryException(
          ErrorKind.UNAVAILABLE, report.name() + ": the client was closed", failure);
    }
    boolean lost = status.getCause() != null || LOST.matcher(text).find();
    return lost || status.getDescription() == null || status.getCode() == Status.Code.CANCELLED
        ? report.failedConnection(ErrorKind.UNAVAILABLE, failure)
        : null;
  }

  /** Says what the peer does instead; a proxy without a server responds with 502, 503 or 504. */
  private static String instead(ErrorKind kind, @Nullable String code) {
    if (code == null) {
      return "does not speak gRPC";
    }
    return kind == ErrorKind.UNAVAILABLE
        ? "responded with HTTP status " + code
        : "does not speak gRPC (HTTP status " + code + ")";
  }
}
