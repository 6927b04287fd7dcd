package dev.ferry.wire.internal.servers;

import dev.ferry.core.Carrier;
import java.util.List;

/** The ways to several servers. Thread-safe. */
public interface Routes extends AutoCloseable {
  /** A carrier that leads to a server. */
  interface Route {
    /** Begins a call: returns the carrier, which belongs to the routes. */
    Carrier begin();

    /** Records that a call has ended, after each {@link #begin}. */
    void end();

    /** Records that the server responded. */
    void served();

    /** Records that the server could not be reached, or said that it does not serve. */
    void failed();
  }

  /** Returns the routes to try for the next call, the best first; one at least. */
  List<? extends Route> inTurn();

  /** Closes the carriers. */
  @Override
  void close();
}
