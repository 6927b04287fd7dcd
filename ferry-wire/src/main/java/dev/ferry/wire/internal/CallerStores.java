package dev.ferry.wire.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.GuardedStore;
import dev.ferry.core.internal.CallerShares;
import dev.ferry.wire.Caller;
import dev.ferry.wire.Callers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
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
 * @param workers run what may block for a {@linkplain RunningRequest#holder holder}
 * @param guesses limits wrong passwords
 * @param speed that of the store
 * @param digests computes those of large files
 */
public record CallerStores(
    FileStore store,
    @Nullable Callers callers,
    Refusals refusals,
    Function<String, Executor> workers,
    PasswordGuesses guesses,
    DiskSpeed speed,
    LargeDigests digests) {
  /** The credentials of a request (RFC 6750, 2.1). */
  private static final Pattern BEARER =
      Pattern.compile("Bearer +([A-Za-z0-9._~+/-]+=*) *", Pattern.CASE_INSENSITIVE);

  /** The credentials of a request that a person has typed (RFC 7617). */
  private static final Pattern BASIC =
      Pattern.compile("Basic +([A-Za-z0-9+/]+={0,2}) *", Pattern.CASE_INSENSITIVE);

  /** Names of callers are shorter. */
  private static final int MAX_NAME = 64;

  /** Creates the stores of a port. The port stops the digests. */
  public CallerStores(
      FileStore store,
      @Nullable Callers callers,
      Refusals refusals,
      Function<String, Executor> workers) {
    this(
        store,
        callers,
        refusals,
        workers,
        callers instanceof CountedCallers counted
            ? counted.guesses()
            : new PasswordGuesses(System::nanoTime),
        new DiskSpeed(store.isRemote(), System::nanoTime),
        new LargeDigests());
  }

  /**
   * Returns whether the name and the token of a caller are taken as a password (RFC 7617): over
   * TLS, or from this machine. Browsers would send it in plain text to whoever asks.
   *
   * @param session the TLS session of a connection; null in plain text
   * @param peer its other end
   */
  public static boolean takesPasswords(@Nullable SSLSession session, @Nullable SocketAddress peer) {
    return session != null
        || (peer instanceof InetSocketAddress address
            && !address.isUnresolved()
            && address.getAddress().isLoopbackAddress());
  }

  /**
   * Returns whether a browser has a name without a password. It has it in place of the one that its
   * user has signed out of.
   *
   * @param authorization as for {@link #of}
   */
  public static boolean isSignedOut(List<String> authorization) {
    String password = authorization.size() == 1 ? group(BASIC, authorization.get(0)) : null;
    return password != null && isSignedOut(parts(password));
  }

  /** No caller has an empty token. */
  private static boolean isSignedOut(String[] parts) {
    return parts.length == 2 && parts[1].isEmpty();
  }

  private static String[] parts(String encoded) {
    return decoded(encoded).split(":", 2);
  }

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
    Executor executor = request.working(workers.apply(request.holder()));
    return new FileOperations(own, request, executor, digests);
  }

  /**
   * Returns in whose turn a request is looked at: in that of the caller of its token or
   * certificate, without one in that of its address. A password is not looked at yet.
   *
   * @param authorization as for {@link #of}
   * @param session as for {@link #of}
   * @param peer the other end of its connection; null if it is not known
   */
  public String holder(
      @Nullable Iterable<String> authorization,
      @Nullable SSLSession session,
      @Nullable SocketAddress peer) {
    Caller caller = null;
    if (callers != null && authorization != null && authorization.iterator().hasNext()) {
      String token = group(BEARER, authorization.iterator().next());
      caller = token == null ? null : callers.find(token);
    } else if (callers != null && session != null) {
      X509Certificate certificate = ClientNames.certificate(session);
      caller = certificate == null ? null : callers.findByCertificate(certificate);
    }
    return caller == null ? RunningRequest.holderAt(peer) : CallerShares.ofUser(caller.name());
  }

  private FileStore storeOf(
      @Nullable Iterable<String> authorization,
      @Nullable SSLSession session,
      RunningRequest request)
      throws FerryException {
    if (callers == null) {
      return store.heldBy(request.holder());
    }
    Iterator<String> fields =
        authorization == null ? Collections.emptyIterator() : authorization.iterator();
    Caller caller;
    String unknown = "this server requires a token";
    if (fields.hasNext()) {
      String field = fields.next();
      String token = fields.hasNext() ? null : group(BEARER, field);
      String password = fields.hasNext() ? null : group(BASIC, field);
      caller = token == null ? null : callers.find(token);
      if (password != null) {
        token = password;
        caller = byPassword(callers, password, session, request.peer());
      }
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
    try {
      request.admitted(callers.admit(caller));
    } catch (FerryException e) {
      refusals.count(Refusals.Reason.TOO_MANY_REQUESTS);
      throw e;
    }
    return new GuardedStore(store.heldBy(request.holder()), caller.name(), caller.rules());
  }

  private static @Nullable String group(Pattern pattern, String field) {
    Matcher matcher = pattern.matcher(field);
    return matcher.matches() ? matcher.group(1) : null;
  }

  private @Nullable Caller byPassword(
      Callers known, String encoded, @Nullable SSLSession session, @Nullable SocketAddress peer)
      throws FerryException {
    if (!takesPasswords(session, peer)) {
      throw new FerryException(
          ErrorKind.UNAUTHENTICATED,
          "names and passwords are accepted only over TLS; start the server with --tls-cert");
    }
    String[] parts = parts(encoded);
    if (isSignedOut(parts)) {
      // Not a guess, and the same browser may soon send the right one.
      return null;
    }
    InetAddress address =
        peer instanceof InetSocketAddress inet && !inet.isUnresolved()
            ? inet.getAddress()
            : InetAddress.getLoopbackAddress();
    String name = parts[0].substring(0, Math.min(parts[0].length(), MAX_NAME));
    guesses.requireName(address, name);
    Caller caller = parts.length < 2 ? null : known.find(parts[1]);
    // Whose token it is, is compared in the same time for any two names of a length.
    if (caller != null && MessageDigest.isEqual(utf8(caller.name()), utf8(parts[0]))) {
      guesses.right(address, name);
      return caller;
    }
    // Others of the address, which may be that of a proxy, are not kept out by these.
    guesses.wrong(address, name);
    return null;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String decoded(String encoded) {
    try {
      return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }
}
