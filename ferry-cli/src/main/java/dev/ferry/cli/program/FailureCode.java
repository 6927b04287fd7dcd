package dev.ferry.cli.program;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The exit codes of failures, by their kind. Wrong use of the command line is 2. */
public enum FailureCode {
  OTHER(1, "any other failure"),
  NOT_FOUND(3, "a file or folder does not exist"),
  EXISTS(4, "a name is already taken, a folder is not empty, or a file was replaced meanwhile"),
  NOT_PERMITTED(5, "not permitted, or the server does not know the token"),
  UNREACHABLE(6, "the server cannot be reached, or is overloaded"),
  OVERDUE(7, "a time limit has passed"),
  DAMAGED(8, "what arrived is damaged or incomplete, or the file changed during the transfer"),
  NO_ROOM(9, "no room: the disk is full, or the file exceeds a limit"),
  NOT_ALL(10, "only partly done: each name that was left out or failed is printed"),
  DIFFERENT(11, "'ferry check' has found differences");

  private final int code;
  private final String description;

  FailureCode(int code, String description) {
    this.code = code;
    this.description = description;
  }

  /** The exit code. */
  public int code() {
    return code;
  }

  String description() {
    return description;
  }

  private static FailureCode of(ErrorKind kind) {
    return switch (kind) {
      case NOT_FOUND -> NOT_FOUND;
      case ALREADY_EXISTS, NOT_EMPTY, VERSION_MISMATCH -> EXISTS;
      case PERMISSION_DENIED, UNAUTHENTICATED, LOCKED -> NOT_PERMITTED;
      case UNAVAILABLE, OVERLOADED -> UNREACHABLE;
      case DEADLINE_EXCEEDED -> OVERDUE;
      case DIGEST_MISMATCH, INCOMPLETE, FILE_CHANGED, OFFSET_MISMATCH -> DAMAGED;
      case OUT_OF_SPACE, TOO_LARGE -> NO_ROOM;
      case INVALID_PATH, INVALID_REQUEST, CANCELLED, INTERNAL -> OTHER;
    };
  }

  static FailureCode of(Exception failure) {
    if (failure instanceof Refusal refusal) {
      return of(refusal.kind());
    }
    if (failure instanceof UncheckedIOException unchecked && unchecked.getCause() != null) {
      return of(unchecked.getCause());
    }
    return failure instanceof IOException io ? of(FerryException.of(io, "").kind()) : OTHER;
  }

  /** Adds the codes to the help of a command and of those below it. */
  static void addTo(CommandLine command) {
    CommandSpec spec = command.getCommandSpec();
    Map<Integer, String> codes = new TreeMap<>();
    for (Map.Entry<String, String> code : spec.usageMessage().exitCodeList().entrySet()) {
      codes.put(Integer.valueOf(code.getKey()), code.getValue());
    }
    for (FailureCode failure : values()) {
      codes.put(failure.code, failure.description);
    }
    Map<String, String> texts = new LinkedHashMap<>();
    codes.forEach((code, text) -> texts.put(code.toString(), text));
    spec.usageMessage().exitCodeList(texts);
    for (CommandLine each : command.getSubcommands().values()) {
      addTo(each);
    }
  }
}
