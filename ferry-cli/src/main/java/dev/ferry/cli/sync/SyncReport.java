package dev.ferry.cli.sync;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.cli.client.TreeTransfers;
import dev.ferry.cli.output.JsonLines;
import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.tree.MissingNames;
import dev.ferry.cli.tree.TreeTotals;
import dev.ferry.core.ByteSize;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts and prints what a sync does, or would do. Thread-safe.
 *
 * @param totals counts the files that are transferred or unchanged
 * @param missing what is not transferred
 * @param deletions counts what is deleted
 * @param dryRun whether nothing is changed
 */
record SyncReport(
    OutputFlags output,
    TreeTotals totals,
    MissingNames missing,
    AtomicLong deletions,
    boolean dryRun) {
  SyncReport(OutputFlags output, TreeTransfers transfers, boolean dryRun) {
    this(output, transfers.totals(), transfers.missing(), new AtomicLong(), dryRun);
  }

  void wouldCopy(String source, String target, long bytes) {
    totals.transferred(bytes);
    output.result(
        "would copy " + source + " -> " + target + ", " + bytes + (bytes == 1 ? " byte" : " bytes"),
        JsonLines.object()
            .put("action", "would-transfer")
            .put("source", source)
            .put("target", target)
            .put("bytes", bytes));
  }

  /** A file or folder of the target was deleted, or would be. */
  void deleted(String target, boolean folder) {
    deletions.incrementAndGet();
    String shown = target + (folder ? "/" : "");
    ObjectNode object =
        JsonLines.object()
            .put("action", dryRun ? "would-delete" : "deleted")
            .put("target", target)
            .put("type", folder ? "folder" : "file");
    if (dryRun) {
      output.result("would delete " + shown, object);
    } else {
      output.change(() -> shown + ": deleted", () -> object);
    }
  }

  /** An earlier file of the backup folder was replaced by a newer one. */
  void replacedBackup(String name) {
    output.note(
        name + ": an earlier backup was replaced; choose another --backup-dir to keep both");
  }

  /** A file of the target was moved away for one that was not copied then. */
  void notRestored(String target, String backup) {
    output.note(target + ": a copy failed; the former file is " + backup);
  }

  /** The source has something in the place of the backup folder. */
  void leftOutForBackup(String name) {
    missing.leftOut(name, "--backup-dir keeps files of the target there");
  }

  /** Nothing of a folder of the target is deleted, as the source has more than it can name. */
  void incomplete(String target) {
    output.note(
        target + "/: nothing was deleted there, as the source has names there that were left out");
  }

  /** Nothing is deleted at all, as parts of the source were not read. */
  void deletedNothing(String target) {
    output.note(
        target + "/: nothing was deleted, because of the failures above; sync again without them");
  }

  void summary(String source, String target, double seconds) {
    String text =
        String.format(
            Locale.ROOT,
            "%s/ -> %s/: %d copied, %d deleted, %d unchanged%s, %s in %.2f s%s",
            source,
            target,
            totals.files(),
            deletions.get(),
            totals.unchangedFiles(),
            missing.text(),
            ByteSize.amount(totals.bytes()),
            seconds,
            dryRun ? "; a dry run, nothing was changed" : "");
    output.done(
        () -> text,
        () ->
            JsonLines.object()
                .put("action", "summary")
                .put("source", source)
                .put("target", target)
                .put("transferred", totals.files())
                .put("deleted", deletions.get())
                .put("unchanged", totals.unchangedFiles())
                .put("missing", missing.all())
                .put("bytes", totals.bytes())
                .put("seconds", seconds)
                .put("dryRun", dryRun));
  }
}
