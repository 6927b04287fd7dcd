package dev.ferry.web;

import java.time.Duration;

/** Whether a request waits for its client, and since when. Thread-safe. */
final class Waiting {
  private long lastMoved = System.nanoTime();
  private long wanted;
  private boolean given;
  private boolean ended;

  /** The service asked for pieces of the request. */
  synchronized void wants(long pieces) {
    wanted = Math.max(wanted, 0) + pieces < 0 ? Long.MAX_VALUE : wanted + pieces;
    moved();
  }

  /** A piece of the request came. */
  synchronized void got() {
    wanted--;
    moved();
  }

  /** The request has come whole, or never will. */
  synchronized void gotAll() {
    wanted = 0;
    moved();
  }

  /** A piece of the answer was given to the connection. */
  synchronized void gives() {
    given = true;
    moved();
  }

  /** The connection took the pieces that were given. */
  synchronized void taken() {
    given = false;
    moved();
  }

  private void moved() {
    lastMoved = System.nanoTime();
  }

  /** The request is over. */
  synchronized void end() {
    ended = true;
  }

  synchronized boolean ended() {
    return ended;
  }

  synchronized boolean longerThan(Duration limit) {
    return (wanted > 0 || given) && System.nanoTime() - lastMoved > limit.toNanos();
  }
}
