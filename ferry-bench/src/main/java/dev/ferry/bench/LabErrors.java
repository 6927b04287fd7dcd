package dev.ferry.bench;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.lab.model.LabException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Translates the errors of the lab to those of commands. */
final class LabErrors {
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

  /** Returns the failure of a command that was used in a wrong way. */
  static ParameterException wrongUse(CommandSpec command, LabException e) {
    return new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
  }
}
