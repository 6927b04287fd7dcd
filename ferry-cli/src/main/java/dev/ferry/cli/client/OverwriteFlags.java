package dev.ferry.cli.client;

import dev.ferry.cli.program.Question;
import dev.ferry.cli.program.Refusal;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The options for a name that a different file has already. Without them, the user of a terminal is
 * asked, and elsewhere the command fails.
 */
final class OverwriteFlags {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = {"-f", "--force"},
      description =
          "Replace files of the same name. Without this option the command asks on a terminal, and"
              + " fails elsewhere, unless the file is equal.")
  private boolean force;

  @Option(
      names = {"-n", "--no-clobber"},
      description = "Keep files of the same name, whatever they contain; exit code 0.")
  private boolean noClobber;

  /** The options of a command that replaces each file without a question. */
  static OverwriteFlags forced() {
    OverwriteFlags flags = new OverwriteFlags();
    flags.force = true;
    return flags;
  }

  boolean force() {
    if (force && noClobber) {
      throw new ParameterException(spec.commandLine(), "--force and --no-clobber: give only one");
    }
    return force;
  }

  boolean noClobber() {
    return noClobber;
  }

  /**
   * Decides what is done with a different file. Asks the user of a terminal, one question at a
   * time.
   *
   * @return whether to replace it; if not, it is left alone
   * @throws Refusal if nobody can be asked
   * @throws FerryException with {@link ErrorKind#CANCELLED} if the thread is interrupted
   */
  synchronized boolean replaces(String name) throws FerryException {
    if (force() || noClobber) {
      return force;
    }
    if (!Question.isPossible()) {
      throw exists(name, "already exists");
    }
    try {
      return Question.yes(name + " already exists; replace it?", spec.commandLine().getErr());
    } catch (InterruptedException e) {
      throw FerryException.interrupted(name + ": cancelled", e);
    }
  }

  /** The failure for a file that is not replaced. */
  static Refusal exists(String name, String how) {
    return new Refusal(
        ErrorKind.ALREADY_EXISTS,
        name + ": " + how + "; --force replaces it, --no-clobber leaves it alone");
  }
}
