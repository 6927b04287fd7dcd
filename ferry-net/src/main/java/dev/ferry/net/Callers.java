package dev.ferry.net;

import org.jspecify.annotations.Nullable;

/** The callers of a server, known by their tokens. Thread-safe. */
@FunctionalInterface
public interface Callers {
  /**
   * Returns the caller that has a token. Servers call this once for each request, on an event loop,
   * so it must not wait for the network.
   *
   * @param token as the client sent it; it must not be logged
   * @return null if no caller has it
   */
  @Nullable Caller find(String token);
}
