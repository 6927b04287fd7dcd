package dev.ferry.lab.model;

import java.util.List;
import java.util.Locale;

/** Which way a file goes. */
public enum Direction {
  /** From the server to the client. */
  DOWNLOAD,
  /** From the client to the server. */
  UPLOAD;

  /** The table's name. */
  public String table() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The direction a table is about: the last word of its name. */
  public static Direction of(String table) {
    return valueOf(table.substring(table.lastIndexOf('-') + 1).toUpperCase(Locale.ROOT));
  }

  /** What bounds a transfer that is not compressed: sockets and files, and no protocol. */
  public List<CeilingName> ceilings() {
    return switch (this) {
      case DOWNLOAD -> List.of(CeilingName.SOCKET_DOWNLOAD, CeilingName.SOCKET_DOWNLOAD_TRANSFER);
      case UPLOAD -> List.of(CeilingName.SOCKET_UPLOAD, CeilingName.SOCKET_UPLOAD_TRANSFER);
    };
  }
}
