package dev.ferry.http.internal.server;

/** A response body that is being sent. It reports its end to its listener. */
interface BodySender extends Exchange.Work {
  /** Starts to send, after the response head. */
  void start();

  /**
   * Called on the event loop when the connection is gone. A download that waits for its pace ends
   * now. Any other one ends when a write fails.
   */
  @Override
  void gone();

  /** Receives the end of a download exactly once, after its source is closed. */
  interface Listener {
    /** Called on the event loop after the last byte was written to the socket. */
    void sent();

    /** Called on any thread if the body cannot be completed. The connection must be closed. */
    void failed(Throwable failure);
  }
}
