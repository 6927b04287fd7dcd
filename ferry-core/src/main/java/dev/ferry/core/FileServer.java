package dev.ferry.core;

/** A running file server on one port. Thread-safe. */
public interface FileServer extends AutoCloseable {
  /** The port that the server listens on. */
  int port();

  /** Stops accepting requests, waits a few seconds for running ones, then aborts them. */
  @Override
  void close();
}
