package dev.ferry.wire.internal;

import dev.ferry.core.FerryException;
import dev.ferry.wire.Admission;
import dev.ferry.wire.Caller;
import dev.ferry.wire.Callers;
import java.security.cert.X509Certificate;
import org.jspecify.annotations.Nullable;

/**
 * The callers of a server with the wrong passwords for them, which its ports count together.
 * Thread-safe.
 */
public final class CountedCallers implements Callers {
  private final Callers callers;
  private final PasswordGuesses guesses = new PasswordGuesses(System::nanoTime);

  private CountedCallers(Callers callers) {
    this.callers = callers;
  }

  /** Returns callers that have no wrong passwords yet, unless these are counted already. */
  public static CountedCallers of(Callers callers) {
    return callers instanceof CountedCallers counted ? counted : new CountedCallers(callers);
  }

  PasswordGuesses guesses() {
    return guesses;
  }

  @Override
  public @Nullable Caller find(String token) {
    return callers.find(token);
  }

  @Override
  public @Nullable Caller findByCertificate(X509Certificate certificate) {
    return callers.findByCertificate(certificate);
  }

  @Override
  public Admission admit(Caller caller) throws FerryException {
    return callers.admit(caller);
  }
}
