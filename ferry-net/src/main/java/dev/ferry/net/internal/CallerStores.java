package dev.ferry.net.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.GuardedStore;
import dev.ferry.net.Admission;
import dev.ferry.net.Caller;
import dev.ferry.net.Callers;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Gives each request the part of a store that its caller may use. Every service asks it before it
 * uses a store. Thread-safe.
 *
 * <p>It is asked once per request, before anything else of it is looked at: so the body of a
 * refused upload is discarded as it arrives. Health and reflection of gRPC, and a CORS preflight,
 * need no caller.
 *
 * @param store the whole store
 * @param callers who may use it; null for everyone
 * @param refusals counts the requests without a known token
 * @param workers run what may block
 */
public record CallerStores(
    FileStore store, @Nullable Callers callers, Refusals refusals, Executor workers) {
  /** The credentials of a request (RFC 6750, 2.1). */
  private static final Pattern BEARER =
      Pattern.compile("Bearer +([A-Za-z0-9._~+/-]+=*) *", Pattern.CASE_INSENSITIVE);

  /**
   * Returns the operations of a request, on the store of its caller.
   *
   * @param authorization all values of its field {@code Authorization}; null if there is none
   * @param session the TLS session of its connection; null in plain text
   * @param request learns the name of the caller; the caller may send another when it ends
   * @throws FerryException with {@link ErrorKind#UNAUTHENTICATED} unless it has exactly one token,
   *     which a caller has, or no such field and a certificate, which a caller has; as {@link
   *     Callers#admit} if the caller has sent too many requests
   */
  public FileOperations of(
      @Nullable Iterable<String> authorization,
      @Nullable SSLSession session,
      RunningRequest request)
      throws FerryException {
    FileStore own = storeOf(authorization, session, request);
    return new FileOperations(own, request, request.working(workers));
  }

  private FileStore storeOf(
      @Nullable Iterable<String> authorization,
      @Nullable SSLSession session,
      RunningRequest request)
      throws FerryException {
    if (callers == null) {
      return store;
    }
    Iterator<String> fields =
        authorization == null ? Collections.emptyIterator() : authorization.iterator();
    Caller caller;
    String unknown = "this server serves only requests with a token";
    if (fields.hasNext()) {
      String token = token(fields);
      caller = token == null ? null : callers.find(token);
      unknown = token == null ? unknown : "this server does not know the token of the request";
    } else {
      X509Certificate certificate = session == null ? null : ClientNames.certificate(session);
      caller = certificate == null ? null : callers.findByCertificate(certificate);
      unknown =
          certificate == null ? unknown : "this server does not know the certificate of the client";
    }
    if (caller == null) {
      refusals.count(Refusals.Reason.NO_CALLER);
      throw new FerryException(ErrorKind.UNAUTHENTICATED, unknown);
    }
    request.caller(caller.name());
    Admission admission;
    try {
      admission = callers.admit(caller);
    } catch (FerryException e) {
      refusals.count(Refusals.Reason.TOO_MANY_REQUESTS);
      throw e;
    }
    request.admitted(admission);
    return admission.store().apply(new GuardedStore(store, caller.name(), caller.rules()));
  }

  private static @Nullable String token(Iterator<String> fields) {
    Matcher bearer = BEARER.matcher(fields.next());
    return bearer.matches() && !fields.hasNext() ? bearer.group(1) : null;
  }
}
