package dev.ferry.cli.client;

import dev.ferry.cli.output.JsonLines;
import dev.ferry.cli.program.Refusal;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.LostResponse;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Moves a file or directory to another name on its server. */
@Command(
    name = "mv",
    description = {
      "Moves a file or folder to another name on its server.",
      "At any moment it has either its old or its new name. A folder never replaces anything."
    },
    footer = {"", "Examples:", "  ferry mv taxi.csv fares.csv", "  ferry mv fares.csv 2026/"})
public final class MoveCommand extends ServerCommand {
  @Mixin private OverwriteFlags overwrite;

  @Parameters(index = "0", paramLabel = "PATH", description = "The file or folder.")
  private String source;

  @Parameters(
      index = "1",
      paramLabel = "TARGET",
      description =
          "Its new path. If that is a folder, or ends with '/', it is moved in there under its own"
              + " name.")
  private String target;

  private final LostResponse lost = new LostResponse();
  private @Nullable StorePath chosen;
  private boolean replaces;

  @Override
  public Integer call() throws Exception {
    replaces = overwrite.force();
    StorePath from = arguments.nonRootPath(source);
    String given = arguments.path(target);
    boolean intoFolder = given.isEmpty() || given.endsWith("/");
    StorePath to =
        intoFolder ? inside(arguments.storePath(given), from) : arguments.filePath(given);
    return server.call(carrier -> move(carrier, from, to));
  }

  private int move(Carrier carrier, StorePath from, StorePath to) throws FerryException {
    if (chosen == null) {
      // Asked once: after a lost response, the file may be there.
      StorePath place = chosen(carrier, from, to);
      if (place == null) {
        skipped(from, to);
        return 0;
      }
      chosen = place;
    }
    StorePath place = chosen;
    try {
      lost.change(
          carrier,
          new Change.Move(from, place, replaces),
          ErrorKind.NOT_FOUND,
          () -> RemoteNames.facts(carrier, place) != null);
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.NOT_FOUND
          && RemoteNames.facts(carrier, from) != null
          && RemoteNames.facts(carrier, place.parent()) == null) {
        throw new Refusal(
            e.kind(), e.getMessage() + server.orHidden() + "; 'ferry mkdir -p' makes it");
      }
      if (e.kind() != ErrorKind.ALREADY_EXISTS || !overwrite.noClobber()) {
        throw e;
      }
      skipped(from, place);
      return 0;
    }
    output.change(
        () -> from + " -> " + place + ": moved",
        () -> JsonLines.change("moved", from.value()).put("target", place.value()));
    return 0;
  }

  private void skipped(StorePath from, StorePath to) {
    new TransferReport(output, from.value(), to.value()).skipped();
  }

  /** Returns the new path; null if what is there is left alone. */
  private @Nullable StorePath chosen(Carrier carrier, StorePath from, StorePath to)
      throws FerryException {
    FileFacts there = RemoteNames.facts(carrier, to);
    if (there == null || to.equals(from)) {
      return to;
    }
    if (there.directory()) {
      StorePath inner = inside(to, from);
      return chosenFile(carrier, from, inner, RemoteNames.facts(carrier, inner));
    }
    return chosenFile(carrier, from, to, there);
  }

  private @Nullable StorePath chosenFile(
      Carrier carrier, StorePath from, StorePath to, @Nullable FileFacts there)
      throws FerryException {
    if (there == null || there.directory() || replaces) {
      return to;
    }
    // Fails if there is nothing to move, before anybody is asked about the target.
    FileFacts unused = carrier.stat(from, null, CallLimits.DEFAULT);
    if (!overwrite.replaces(to.value())) {
      return null;
    }
    replaces = true;
    return to;
  }

  private static StorePath inside(StorePath folder, StorePath file) {
    return folder.child(file.name());
  }
}
