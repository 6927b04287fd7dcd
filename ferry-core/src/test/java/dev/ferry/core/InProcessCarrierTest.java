package dev.ferry.core;

/** Tries the contract itself, and the core under it, with no network between the ends. */
class InProcessCarrierTest extends CarrierContract {
  @Override
  protected Fixture open(FileStore store) {
    InProcessCarrier carrier = new InProcessCarrier(store);
    return new Fixture() {
      @Override
      public Carrier carrier() {
        return carrier;
      }

      @Override
      public void killServer() {
        carrier.killServer();
      }

      @Override
      public void close() {
        carrier.close();
      }
    };
  }
}
