package dev.ferry.lab.model;

import java.util.List;
import java.util.Locale;

/** The direction of a file transfer. */
public enum Direction {
  /** From the server to the client. */
  DOWNLOAD,
  /** From the client to the server. */
  UPLOAD;

  /** Returns the name of the table. */
  public String table() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the direction of a table, which is the last word of its name. */
  public static Direction of(String table) {
    return valueOf(table.substring(table.lastIndexOf('-') + 1).toUpperCase(Locale.ROOT));
  }

  /** Returns the ceilings of an uncompressed transfer: sockets and files without a protocol. */
  public List<CeilingName> ceilings() {
    return switch (this) {
      case DOWNLOAD -> List.of(CeilingName.SOCKET_DOWNLOAD);
      case UPLOAD -> List.of(CeilingName.SOCKET_UPLOAD);
    };
  }
}
