package dev.ferry.cli.sync;

import dev.ferry.cli.output.JsonLines;
import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.tree.MissingNames;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts and prints what a check finds. Thread-safe.
 *
 * @param a the name of one side
 * @param b the name of the other
 * @param missing what cannot be compared
 */
record CheckReport(
    OutputFlags output,
    String a,
    String b,
    MissingNames missing,
    AtomicLong same,
    AtomicLong different) {
  CheckReport(OutputFlags output, String a, String b) {
    this(output, a, b, new MissingNames(output), new AtomicLong(), new AtomicLong());
  }

  void equal() {
    same.incrementAndGet();
  }

  /**
   * A name differs.
   *
   * @param reason for instance {@code size}
   * @param text what the line says of it
   */
  void differs(String path, String reason, String text) {
    different.incrementAndGet();
    output.result(
        path + ": " + text,
        JsonLines.object().put("action", "differs").put("path", path).put("reason", reason));
  }

  long differences() {
    return different.get();
  }

  void summary() {
    String text =
        "%s and %s: %d equal, %d different%s"
            .formatted(a, b, same.get(), different.get(), missing.text());
    output.done(
        () -> text,
        () ->
            JsonLines.object()
                .put("action", "summary")
                .put("a", a)
                .put("b", b)
                .put("equal", same.get())
                .put("different", different.get())
                .put("missing", missing.all()));
  }
}
