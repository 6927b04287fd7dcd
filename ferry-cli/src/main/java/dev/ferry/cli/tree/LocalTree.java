package dev.ferry.cli.tree;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.LocalNames;
import dev.ferry.core.internal.PlainText;
import dev.ferry.core.local.LocalFileSink;
import dev.ferry.core.local.SymbolicLinks;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A local tree, to be copied to a server. Links to files are files; links to directories, what is
 * neither a file nor a directory, what cannot be read, and names that no path of a store can have
 * are left out and named. If links are made as links, those that lead out of the tree are left out.
 *
 * @param target the folder of the server, whose path is a part of each name
 * @param filter chooses the files
 * @param links whether links are made as links
 * @param missing receives the names that are left out, and the folders that cannot be read
 */
public record LocalTree(StorePath target, NameFilter filter, boolean links, MissingNames missing) {
  /** Why a link is not made as one. */
  public static final String LEADS_OUT =
      "it is a symbolic link whose target is not relative, or not in the tree";

  /** Visits a directory and all that is below it, in the order of the file system. */
  public void walk(Path root, TreeVisitor<Path> visitor) throws FerryException {
    walk(root, "", visitor);
  }

  private void walk(Path directory, String path, TreeVisitor<Path> visitor) throws FerryException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      if (!visitor.directory(path)) {
        return;
      }
      for (Path entry : entries) {
        if (!LocalFileSink.isFerrys(entry)) {
          visit(entry, path, visitor);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw FerryException.of(Objects.requireNonNull(e.getCause()), LocalNames.shown(directory));
    } catch (IOException e) {
      throw FerryException.of(e, LocalNames.shown(directory));
    }
  }

  private void link(Path entry, String below, TreeVisitor<Path> visitor) throws FerryException {
    if (!filter.asksFor(below)) {
      return;
    }
    String to = linkTarget(entry, below);
    if (to.isEmpty()) {
      missing.leftOut(LocalNames.shown(entry), LEADS_OUT);
    } else {
      visitor.link(below, entry, to);
    }
  }

  /**
   * Returns the target of a local link.
   *
   * @param below its path in the tree
   * @return empty if it is not relative, or not in the tree
   */
  public static String linkTarget(Path link, String below) throws FerryException {
    try {
      return SymbolicLinks.read(link, depth(below));
    } catch (IOException e) {
      throw FerryException.of(e, link.toString());
    }
  }

  /** Folders between the root of a tree and a path in it. */
  static int depth(String below) {
    return (int) below.chars().filter(c -> c == '/').count();
  }

  private void visit(Path entry, String path, TreeVisitor<Path> visitor) throws FerryException {
    String above = path.isEmpty() ? "" : path + "/";
    String below;
    try {
      below = above + LocalNames.segment(entry);
      StorePath.parse(target.child(below).value());
    } catch (FerryException e) {
      if (filter.asksFor(above + PlainText.of(LocalNames.bytes(entry)))) {
        missing.leftOut(LocalNames.shown(entry), String.valueOf(e.getMessage()));
      }
      return;
    }
    if (links && Files.isSymbolicLink(entry)) {
      link(entry, below, visitor);
    } else if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
      if (filter.enters(below)) {
        missing.attempt(() -> walk(entry, below, visitor));
      }
    } else if (filter.takes(below)) {
      if (!Files.isRegularFile(entry)) {
        missing.leftOut(LocalNames.shown(entry), "it is neither a file nor a folder");
      } else if (Files.isReadable(entry)) {
        visitor.file(below, entry);
      } else {
        missing.leftOut(LocalNames.shown(entry), LeftOut.UNREADABLE.reason());
      }
    }
  }
}
