package dev.ferry.cli.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.cli.output.JsonLines;
import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.output.Stopwatch;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Transfer;

/**
 * Prints what a transfer came to.
 *
 * @param source the name of the source, as the user wrote it
 * @param target the name of the target
 */
record TransferReport(OutputFlags output, String source, String target) {
  void transferred(Transfer transfer, Stopwatch stopwatch, CarrierChoice carrier) {
    FileFacts facts = transfer.facts();
    ObjectNode object =
        object("transferred").put("bytes", facts.size()).put("seconds", stopwatch.seconds());
    JsonLines.addDigests(object, facts);
    object
        .put("carrier", carrier.toString())
        .put("protocol", transfer.protocol())
        .put("encoding", transfer.encoding())
        .put("wireBytes", transfer.wireBytes());
    output.done(Summary.of(source + " -> " + target, transfer, stopwatch, carrier), object);
  }

  /** The target is equal to the source already. */
  void unchanged(FileFacts facts) {
    ObjectNode object = object("unchanged").put("bytes", facts.size());
    JsonLines.addDigests(object, facts);
    output.done(
        source + " -> " + target + ": unchanged, " + Summary.digests(facts) + "the same", object);
  }

  /** The target was left alone. */
  void skipped() {
    output.done(target + ": already exists, left alone", object("skipped"));
  }

  private ObjectNode object(String action) {
    return JsonLines.object().put("action", action).put("source", source).put("target", target);
  }
}
