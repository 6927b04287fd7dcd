package dev.ferry.cli.tree;

import dev.ferry.core.FerryException;

/**
 * Receives the files of a tree.
 *
 * @param <F> what a file is known by
 */
public interface TreeVisitor<F> {
  /**
   * A directory, before what is in it.
   *
   * @param path its path below the root of the tree, with {@code /} between segments
   * @return whether to visit what is in it
   */
  boolean directory(String path) throws FerryException;

  /** A file. */
  void file(String path, F file) throws FerryException;

  /** A symbolic link that is made as one, if the walk finds any. */
  void link(String path, F link, String target) throws FerryException;
}
