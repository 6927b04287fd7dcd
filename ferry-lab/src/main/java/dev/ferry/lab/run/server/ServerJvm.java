package dev.ferry.lab.run.server;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The JVM of a row's server, on this machine or on another one. It takes and gives lines. One
 * thread may read while another one does everything else.
 */
interface ServerJvm {
  /** Sends a line. */
  void send(String line) throws IOException;

  /** Reads a line, and waits until there is one. Returns null when there are no more. */
  @Nullable String readLine() throws IOException;

  /** Tells the JVM that no further lines come, upon which it ends. */
  void endLines() throws IOException;

  /**
   * Waits for the end of the JVM.
   *
   * @return whether it has ended
   */
  boolean waitFor(int seconds) throws InterruptedException;

  /** Returns how the JVM has ended, for people. */
  String end();

  /** Returns where its output is, for people. */
  String log();

  /** Ends the JVM by force, unless it has ended, and releases what belongs to it. */
  void kill();
}
