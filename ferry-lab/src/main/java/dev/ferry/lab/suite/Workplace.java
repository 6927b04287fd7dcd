package dev.ferry.lab.suite;

import dev.ferry.core.Sha256;
import dev.ferry.lab.model.Direction;
import java.nio.file.Path;

/**
 * The folders and the source file of a row or ceiling.
 *
 * @param store the folder of the server's files, which contains the source. If the server is on
 *     another machine, its client finds here the source and what the server left for it, and no
 *     uploads
 * @param client the folder of the client's files, on the same file system
 * @param source the file to transfer; its content must not be changed
 * @param size its size in bytes
 * @param sha256 its digest
 * @param uploads where uploads arrive: the server's folder, which also has its source
 */
public record Workplace(
    Path store, Path client, Path source, long size, Sha256 sha256, TargetFolder uploads) {
  /** The name of the run's file and the prefix of the names of other source files. */
  public static final String SOURCE = "source";

  /** Creates a workplace whose server is on this machine. */
  public Workplace(Path store, Path client, Path source, long size, Sha256 sha256) {
    this(store, client, source, size, sha256, TargetFolder.of(store));
  }

  /** Returns a copy whose uploads arrive elsewhere. */
  public Workplace withUploads(TargetFolder elsewhere) {
    return new Workplace(store, client, source, size, sha256, elsewhere);
  }

  /** Returns where files of a direction arrive. */
  public TargetFolder targets(Direction direction) {
    return direction == Direction.DOWNLOAD ? TargetFolder.of(client) : uploads;
  }
}
