package dev.ferry.cli.operate;

import dev.ferry.core.ErrorKind;
import dev.ferry.wire.EndedRequest;
import dev.ferry.wire.internal.contract.Errors;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** How metrics and logs name what they have in common. */
final class RequestText {
  /** The result of a request that succeeded. */
  private static final String OK = "ok";

  private RequestText() {}

  /** Returns {@code ok}, or the kind of the error as it is sent to clients. */
  static String result(EndedRequest ended) {
    ErrorKind error = ended.error();
    return error == null ? OK : Errors.wireName(error);
  }

  /** Returns an address with its port; null if it is not known. */
  static @Nullable String peer(@Nullable SocketAddress peer) {
    if (!(peer instanceof InetSocketAddress address)) {
      return null;
    }
    InetAddress ip = address.getAddress();
    String host = ip == null ? address.getHostString() : ip.getHostAddress();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
  }
}
