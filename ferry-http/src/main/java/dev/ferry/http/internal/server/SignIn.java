package dev.ferry.http.internal.server;

import dev.ferry.wire.internal.AccessRules;
import dev.ferry.wire.internal.CallerStores;
import dev.ferry.wire.internal.TlsContexts;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/**
 * How people sign in (RFC 7617): a browser, or a client of WebDAV, asks for the name of a caller
 * and its token, and then sends both with each request. So that a browser does, whatever page makes
 * it send the request: those of other sites are refused.
 */
final class SignIn {
  /** What makes a client ask. */
  static final String CHALLENGE = "Basic realm=\"Ferry\", charset=\"UTF-8\"";

  private static final String FETCH_MODE = "Sec-Fetch-Mode";
  private static final String FETCH_SITE = "Sec-Fetch-Site";
  private static final String NAVIGATE = "navigate";

  private SignIn() {}

  /**
   * Returns whether the client of a request can ask its user, and a password is taken from it. A
   * script that fetches something shows its own dialogue, and a program has a token.
   */
  static boolean canAsk(HttpRequest request, Channel channel) {
    HttpHeaders fields = request.headers();
    return fields.get(FETCH_MODE, NAVIGATE).equals(NAVIGATE)
        && !fields.contains("X-Requested-With")
        && !hasScheme(fields, "Bearer")
        && CallerStores.takesPasswords(TlsContexts.session(channel), channel.remoteAddress());
  }

  private static boolean hasScheme(HttpHeaders fields, String scheme) {
    return fields
        .get(HttpHeaderNames.AUTHORIZATION, "")
        .regionMatches(true, 0, scheme, 0, scheme.length());
  }

  /**
   * Refuses what a browser sends with a password for a page of another site, unless its user
   * follows a link. {@link AccessRules} decides about requests with an {@code Origin}.
   */
  static AccessRules.@Nullable Refusal refusal(HttpHeaders fields) {
    String site = fields.get(FETCH_SITE);
    if (site == null || site.equals("none") || site.equals("same-origin")) {
      return null;
    }
    boolean follows =
        fields.get(FETCH_MODE, "").equals(NAVIGATE)
            && fields.get("Sec-Fetch-Dest", "").equals("document");
    return follows || fields.contains(HttpHeaderNames.ORIGIN) || !hasScheme(fields, "Basic")
        ? null
        : new AccessRules.Refusal(
            HttpResponseStatus.FORBIDDEN.code(),
            "pages of other sites may not use the password of their reader; open the file itself");
  }
}
