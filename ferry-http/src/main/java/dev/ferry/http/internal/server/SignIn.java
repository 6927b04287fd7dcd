package dev.ferry.http.internal.server;

import dev.ferry.http.internal.page.Page;
import dev.ferry.wire.internal.AccessRules;
import dev.ferry.wire.internal.CallerStores;
import dev.ferry.wire.internal.TlsContexts;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.FullHttpResponse;
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
        && takesPasswords(channel);
  }

  private static boolean takesPasswords(Channel channel) {
    return CallerStores.takesPasswords(TlsContexts.session(channel), channel.remoteAddress());
  }

  /** Returns whether a person has signed in with a password, which the browser remembers. */
  static boolean isByPassword(HttpHeaders fields) {
    return hasScheme(fields, "Basic");
  }

  /**
   * Makes a browser forget the password of its user. There is no other way than to refuse it:
   * browsers then ask for another one, and a script can give them one, that of {@link
   * CallerStores#isSignedOut}. It is accepted here alone, so the browser remembers it. With the
   * query {@code done}, this only tells people so: a browser without a password is not asked for
   * one.
   */
  static void signOut(Exchange exchange) {
    Channel channel = exchange.context().channel();
    FileRequest request = exchange.request();
    boolean out =
        CallerStores.isSignedOut(request.headers().getAll(HttpHeaderNames.AUTHORIZATION))
            || request.query().equals("done")
            || !takesPasswords(channel);
    Page page =
        Page.ofProblem(
            "Signed out", "This browser no longer knows your password.", exchange.base());
    FullHttpResponse response =
        PageRequests.of(page)
            .setStatus(out ? HttpResponseStatus.OK : HttpResponseStatus.UNAUTHORIZED);
    if (!out) {
      response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, CHALLENGE);
    }
    exchange.endUnlessRead();
    exchange.send(response, 0);
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
    return follows || fields.contains(HttpHeaderNames.ORIGIN) || !isByPassword(fields)
        ? null
        : new AccessRules.Refusal(
            HttpResponseStatus.FORBIDDEN.code(),
            "pages of other sites may not use the password of their reader; open the file itself");
  }
}
