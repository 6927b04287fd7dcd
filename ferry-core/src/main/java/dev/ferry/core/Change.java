package dev.ferry.core;

import org.jspecify.annotations.Nullable;

/** A change of a name on a server, other than an upload: the argument of {@link Carrier#change}. */
public sealed interface Change {
  /** The name that is changed. */
  StorePath path();

  /**
   * Deletes a file or an empty directory; see {@link FileStore#delete}.
   *
   * @param version the version that the file must have; null means any
   */
  record Delete(StorePath path, @Nullable String version) implements Change {}

  /**
   * Moves a file or directory to another name; see {@link FileStore#move}.
   *
   * @param replace whether a file replaces a file at the target
   */
  record Move(StorePath path, StorePath target, boolean replace) implements Change {}

  /**
   * Makes a directory; see {@link FileStore#makeDirectory}.
   *
   * @param parents whether missing parent directories are made, too, and an existing directory is
   *     no error
   * @param mode that of the directory of which the new ones are copies; null if it is not known
   */
  record MakeDirectory(StorePath path, boolean parents, @Nullable Integer mode) implements Change {
    /** Makes a directory that is no copy. */
    public MakeDirectory(StorePath path, boolean parents) {
      this(path, parents, null);
    }
  }

  /**
   * Makes a symbolic link; see {@link FileStore#makeLink}.
   *
   * @param replace whether it may replace a file or another link
   */
  record MakeLink(StorePath path, String target, boolean replace) implements Change {}
}
