package dev.ferry.core;

/** A running server of files on one port. Thread-safe. */
public interface FileServer extends AutoCloseable {
  /** The port that the server listens on. */
  int port();

  /** Takes no more requests, waits a few seconds for running ones, then cuts them. */
  @Override
  void close();
}
