package dev.ferry.load;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.ferry.core.internal.KnownNames;
import java.util.Locale;
import java.util.stream.Stream;

/** What a load can consist of. */
public enum OperationName {
  /** Downloads a file and verifies its digest; the bytes are discarded. */
  GET(true),
  /** Uploads a file. */
  PUT(true),
  /** Asks for the facts of a file. */
  STAT(true),
  /** Lists the folder of the load. */
  LIST(true),
  /** A small unary call that touches no file. */
  CALL(false);

  private final boolean onFiles;

  OperationName(boolean onFiles) {
    this.onFiles = onFiles;
  }

  /** Whether it needs the files of the load on the server. */
  public boolean onFiles() {
    return onFiles;
  }

  /** Whether it moves the bytes of a file. */
  public boolean movesBytes() {
    return this == GET || this == PUT;
  }

  /** The name on the command line and in reports. */
  @JsonValue
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Parses a name, ignoring case.
   *
   * @throws IllegalArgumentException if there is no such operation; the message is one line
   */
  @JsonCreator
  public static OperationName parse(String text) {
    for (OperationName name : values()) {
      if (name.text().equalsIgnoreCase(text)) {
        return name;
      }
    }
    KnownNames names = KnownNames.of(Stream.of(values()).map(OperationName::text).toList());
    throw new IllegalArgumentException("'" + text + "' is no operation; " + names.hint(text));
  }
}
