package dev.ferry.wire;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;

/** The callers of a server, known by their tokens or certificates. Thread-safe. */
@FunctionalInterface
public interface Callers {
  /**
   * Returns the caller that has a token. Servers call this once or twice for each request, on an
   * event loop, so it must not wait for the network.
   *
   * @param token as the client sent it; it must not be logged
   * @return null if no caller has it
   */
  @Nullable Caller find(String token);

  /**
   * Returns the caller that has a certificate. Called as {@link #find(String)}, for requests
   * without a token.
   *
   * @param certificate issued by one of {@link ServerTls#clientIssuers}, and valid now; the client
   *     has its key
   * @return null if no caller has it
   */
  default @Nullable Caller findByCertificate(X509Certificate certificate) {
    return null;
  }

  /**
   * Admits a request of a caller that was found. Called as {@link #find(String)}, once for each
   * request on all ports that have this object.
   *
   * @return what the server does with it
   * @throws FerryException with {@link ErrorKind#OVERLOADED} and a {@linkplain
   *     FerryException#retryAfter time to come back} if the caller has sent too many
   */
  default Admission admit(Caller caller) throws FerryException {
    return Admission.FREE;
  }
}
