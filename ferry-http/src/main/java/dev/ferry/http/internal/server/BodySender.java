package dev.ferry.http.internal.server;

/** A response body that is being sent. It reports its end to its listener. */
interface BodySender {
  /** Starts to send, after the response head. */
  void start();

  /**
   * Called on the event loop when the connection is gone. A download that waits for its pace ends
   * now. Any other one ends when a write fails.
   */
  void cut();

  /** Returns whether this server makes the next bytes, and the client has taken all before them. */
  boolean busy();

  /** Receives the end of a download exactly once, after its source is closed. */
  interface Listener {
    /** Called on the event loop after the last byte was written to the socket. */
    void sent();

    /** Called on any thread if the body cannot be completed. The connection must be closed. */
    void failed(Throwable failure);
  }
}
