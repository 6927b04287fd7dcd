package dev.ferry.cli.tree;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option of commands that copy a file, or a tree. */
public final class RecursiveFlag {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = {"-r", "--recursive"},
      description = "Copy everything in a folder, including all folders below it.")
  private boolean recursive;

  /** Whether a tree is copied. Refuses options of trees that would have no effect. */
  public boolean given(TreeFlags tree) {
    String option = tree.treeOption();
    if (!recursive && option != null) {
      throw new ParameterException(spec.commandLine(), option + ": works only with trees; add -r");
    }
    return recursive;
  }
}
