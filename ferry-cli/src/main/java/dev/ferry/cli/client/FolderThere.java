package dev.ferry.cli.client;

import dev.ferry.cli.program.Refusal;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.StorePath;

/**
 * A folder has the name that a file is to get. A command to which that very name was given puts the
 * file into the folder; for all others it is a refusal.
 */
final class FolderThere extends Refusal {
  FolderThere(StorePath path) {
    super(ErrorKind.ALREADY_EXISTS, path + ": is a folder; name a file in it");
  }
}
