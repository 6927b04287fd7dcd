package dev.ferry.cli.output;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.cli.progress.TreeProgress;
import dev.ferry.core.internal.PlainText;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options for what a command prints. */
public final class OutputFlags {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--json",
      description =
          "Print one JSON object a line instead of text. docs/commands.md describes them. Failures"
              + " stay a line of text on standard error.")
  private boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print only the result, warnings and errors.")
  private boolean quiet;

  @Option(
      names = {"-v", "--verbose"},
      description = "Print to standard error how the server is reached, and what is done there.")
  private boolean verbose;

  private volatile @Nullable TreeProgress shown;

  public boolean json() {
    return json;
  }

  public boolean quiet() {
    return quiet;
  }

  public boolean verbose() {
    return verbose;
  }

  /** Prints what was done, unless the user wants to see nothing. */
  public void done(Supplier<String> text, Supplier<ObjectNode> object) {
    if (json) {
      print(object.get());
    } else if (!quiet) {
      summary(text.get());
    }
  }

  /** Prints what was done, if the user wants to see everything. */
  public void change(Supplier<String> text, Supplier<ObjectNode> object) {
    if (json) {
      print(object.get());
    } else if (verbose) {
      detail(text.get());
    }
  }

  /** Prints a line of what was asked for, whatever else the user wants to see. */
  public void result(String text, ObjectNode object) {
    if (json) {
      print(object);
    } else {
      spec.commandLine().getOut().println(PlainText.of(text));
    }
  }

  /** Prints what was done in all, which is no JSON. */
  public void summary(String text) {
    if (!json && !quiet) {
      spec.commandLine().getOut().println(PlainText.of(text));
    }
  }

  private void print(ObjectNode object) {
    spec.commandLine().getOut().println(object);
  }

  /** Prints a line to standard error, if the user wants to see everything. */
  public void detail(String text) {
    if (verbose) {
      note(text);
    }
  }

  /** Prints a line to standard error, in place of the progress of a tree that is shown there. */
  public void note(String text) {
    String line = PlainText.of(spec.qualifiedName() + ": " + text);
    TreeProgress progress = shown;
    if (progress == null) {
      spec.commandLine().getErr().println(line);
    } else {
      progress.note(line);
    }
  }

  /** Shows the progress of a tree. */
  public TreeProgress treeProgress(String name) {
    if (quiet) {
      return TreeProgress.none();
    }
    TreeProgress progress = TreeProgress.open(spec, name);
    shown = progress;
    return progress;
  }

  /** Shows the progress of a transfer. */
  public ProgressDisplay progress(String name) {
    return quiet ? ProgressDisplay.none() : ProgressDisplay.open(spec, name);
  }
}
