package dev.ferry.http.internal.server;

/** The body of an answer on its way to the socket; its end is heard by its listener. */
interface Download {
  /** Begins to send, after the head. */
  void start();

  /** Hears how a download ends: once, when its source is closed. */
  interface Listener {
    /** The last byte was handed to the socket; on the event loop. */
    void sent();

    /** The body cannot be completed: the connection is to be cut; on any thread. */
    void failed(Throwable failure);
  }
}
