package dev.ferry.cli.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.cli.output.JsonLines;
import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.output.Stopwatch;
import dev.ferry.cli.tree.TreeTotals;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Transfer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Prints what a transfer came to.
 *
 * @param source the name of the source, as the user wrote it
 * @param target the name of the target
 * @param totals counts the files of a tree, for which a summary is printed; null for a single file
 */
record TransferReport(
    OutputFlags output, String source, String target, @Nullable TreeTotals totals) {
  /** Creates the report of a single file. */
  TransferReport(OutputFlags output, String source, String target) {
    this(output, source, target, null);
  }

  void transferred(Transfer transfer, Stopwatch stopwatch, CarrierChoice carrier) {
    if (totals != null) {
      totals.transferred(transfer.facts().size());
    }
    double seconds = stopwatch.seconds();
    print(
        () ->
            TransferSummary.of(source + " -> " + target, transfer, seconds)
                + (output.verbose() ? ", " + TransferSummary.carriage(transfer, carrier) : ""),
        () -> transferredObject(transfer, seconds, carrier));
  }

  private ObjectNode transferredObject(Transfer transfer, double seconds, CarrierChoice carrier) {
    FileFacts facts = transfer.facts();
    ObjectNode object = object("transferred").put("bytes", facts.size()).put("seconds", seconds);
    if (transfer.resumedAt() > 0) {
      object.put("resumedAt", transfer.resumedAt());
    }
    JsonLines.addDigests(object, facts);
    return object
        .put("carrier", carrier.toString())
        .put("protocol", transfer.protocol())
        .put("encoding", transfer.encoding())
        .put("wireBytes", transfer.wireBytes());
  }

  /** The target is equal to the source already. */
  void unchanged(FileFacts facts) {
    if (totals != null) {
      totals.unchanged();
    }
    print(
        () ->
            source
                + " -> "
                + target
                + ": unchanged, "
                + TransferSummary.digests(facts)
                + "the same",
        () -> {
          ObjectNode object = object("unchanged").put("bytes", facts.size());
          JsonLines.addDigests(object, facts);
          return object;
        });
  }

  /** A link of a tree was made, or is there with this target already. */
  void linked(String to) {
    if (totals != null) {
      totals.transferred(0);
    }
    print(
        () -> source + " -> " + target + ": a symbolic link to " + to,
        () -> object("linked").put("link", to));
  }

  /** The target was left alone. */
  void skipped() {
    if (totals != null) {
      totals.skipped();
    }
    print(() -> target + ": already exists, left alone", () -> object("skipped"));
  }

  private void print(Supplier<String> text, Supplier<ObjectNode> object) {
    if (totals == null) {
      output.done(text, object);
    } else {
      output.change(text, object);
    }
  }

  private ObjectNode object(String action) {
    return JsonLines.object().put("action", action).put("source", source).put("target", target);
  }
}
