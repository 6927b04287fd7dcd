package dev.ferry.cli.tree;

import dev.ferry.cli.program.Refusal;
import dev.ferry.core.ErrorKind;

/**
 * A folder of the target cannot be made. All that would be in it fails with the same one, and
 * {@link MissingNames} says it once.
 */
public final class FolderRefused extends Refusal {
  /** Creates the failure of a folder. */
  public FolderRefused(ErrorKind kind, String message) {
    super(kind, message);
  }

  /**
   * Creates the failure of a folder where the target has a file.
   *
   * @param folder its name
   */
  public static FolderRefused fileThere(Object folder) {
    return new FolderRefused(
        ErrorKind.ALREADY_EXISTS,
        folder + ": is a file, and a folder in the source; move one of them away");
  }
}
