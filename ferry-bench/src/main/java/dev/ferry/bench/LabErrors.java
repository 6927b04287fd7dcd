package dev.ferry.bench;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.lab.model.LabException;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Translates the errors of the lab to those of commands. */
final class LabErrors {
  /** The exit code if this machine lacks something. */
  private static final int UNAVAILABLE = 3;

  private LabErrors() {}

  /**
   * Returns the failure of a command.
   *
   * @throws ParameterException if the command was used in a wrong way
   */
  static FerryException failure(CommandSpec command, LabException e) {
    if (e.usage()) {
      throw wrongUse(command, e);
    }
    return new FerryException(ErrorKind.INVALID_REQUEST, String.valueOf(e.getMessage()), e);
  }

  /**
   * Prints what this machine lacks for a command, and returns the exit code for that.
   *
   * @throws FerryException if the command failed for another reason
   * @throws ParameterException if the command was used in a wrong way
   */
  static int exitCode(CommandSpec command, LabException e) throws FerryException {
    if (!e.unavailable()) {
      throw failure(command, e);
    }
    say(command, String.valueOf(e.getMessage()));
    return UNAVAILABLE;
  }

  /** Returns the failure of a command that was used in a wrong way. */
  static ParameterException wrongUse(CommandSpec command, LabException e) {
    return new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
  }

  /** Prints a line to the standard error, after the command's name. */
  static void say(CommandSpec command, String line) {
    PrintWriter err = command.commandLine().getErr();
    err.println(command.qualifiedName() + ": " + line);
    err.flush();
  }
}
