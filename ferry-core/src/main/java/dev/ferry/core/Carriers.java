package dev.ferry.core;

/** Where calls to a server, or to servers of the same files, get their carriers. Thread-safe. */
public interface Carriers {
  /** Opens a carrier. */
  @FunctionalInterface
  interface Connector {
    /** Returns a new carrier, which connects at its first call. */
    Carrier connect() throws FerryException;
  }

  /** Returns the carrier for the first attempt of a call. It may have been used before. */
  Carrier take() throws FerryException;

  /** Returns a new carrier: one that has failed may refuse calls for a while. */
  Carrier connect() throws FerryException;

  /**
   * Takes a carrier back that its user has {@linkplain #take taken} or {@linkplain #connect
   * opened}.
   *
   * @param sound whether it may serve other calls
   */
  void release(Carrier carrier, boolean sound);

  /** Returns a new carrier for a request after the calls were stopped. Its user closes it. */
  default Carrier connectAfterStop() throws FerryException {
    return connect();
  }

  /** Returns carriers of which the first one has an owner, who closes it. */
  static Carriers of(Carrier first, Connector more) {
    return new Carriers() {
      @Override
      public Carrier take() {
        return first;
      }

      @Override
      public Carrier connect() throws FerryException {
        return more.connect();
      }

      @Override
      public void release(Carrier carrier, boolean sound) {
        if (carrier != first) {
          carrier.close();
        }
      }
    };
  }
}
