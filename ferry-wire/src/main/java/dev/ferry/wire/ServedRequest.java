package dev.ferry.wire;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a request when it begins.
 *
 * @param carrier how it came
 * @param operation what it is for
 * @param peer the other end of the connection, which may be a proxy; null if it is not known
 * @param traceParent the field {@code traceparent} of W3C Trace Context; null if there is none, or
 *     a malformed one
 */
public record ServedRequest(
    CarrierName carrier,
    Operation operation,
    @Nullable SocketAddress peer,
    @Nullable String traceParent) {
  /** How requests come. */
  public enum CarrierName {
    GRPC("grpc"),
    HTTP_1_1("http"),
    HTTP_2("http2"),
    GRPC_WEB("grpc-web"),
    GRPC_WEB_TEXT("grpc-web-text");

    private final String label;

    CarrierName(String label) {
      this.label = label;
    }

    /** The name in metrics and logs. */
    @Override
    public String toString() {
      return label;
    }
  }

  /** What requests are for. */
  public enum Operation {
    DOWNLOAD("download"),
    UPLOAD("upload"),
    LIST("list"),
    STAT("stat"),
    DELETE("delete"),
    MOVE("move"),
    COPY("copy"),
    MAKE_DIRECTORY("make-directory"),
    /** Makes a symbolic link. */
    MAKE_LINK("make-link"),
    /** A question about an upload that can be continued. */
    UPLOAD_STATUS("upload-status"),
    CANCEL_UPLOAD("cancel-upload"),
    /** Any other request, such as one with an unknown method. */
    OTHER("other");

    private final String label;

    Operation(String label) {
      this.label = label;
    }

    /** Returns whether the bytes of a file pass. */
    public boolean isTransfer() {
      return this == DOWNLOAD || this == UPLOAD;
    }

    /** The name in metrics and logs. */
    @Override
    public String toString() {
      return label;
    }
  }
}
