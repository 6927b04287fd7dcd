package dev.ferry.core.local;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.LocalNames;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Symbolic links that stay in a folder, for stores and for local trees. */
public final class SymbolicLinks {
  private SymbolicLinks() {}

  /**
   * Whether a link leads to a place in a folder, by its text alone: it is relative, has {@code ..}
   * only at its beginning, no more often than there are folders above the link, and then the path
   * of a store. Links in the folder cannot change that: what is above a folder is no link.
   *
   * @param depth folders between that folder and the link, from 0
   */
  public static boolean staysInside(int depth, String target) {
    String rest = target;
    int above = 0;
    while (rest.equals("..") || rest.startsWith("../")) {
      above++;
      rest = rest.substring(Math.min(rest.length(), 3));
    }
    if (above > depth || target.isEmpty()) {
      return false;
    }
    try {
      StorePath unused = StorePath.parseDirectory(rest);
      return true;
    } catch (FerryException e) {
      return false;
    }
  }

  /**
   * Reads the target of a link.
   *
   * @param depth as for {@link #staysInside}
   * @return empty if it does not stay inside
   */
  public static String read(Path link, int depth) throws IOException {
    Path target = Files.readSymbolicLink(link);
    List<String> names = new ArrayList<>();
    for (Path name : target) {
      String text = LocalNames.text(LocalNames.bytes(name));
      if (text == null || target.isAbsolute()) {
        return "";
      }
      names.add(text);
    }
    String relative = String.join("/", names);
    return staysInside(depth, relative) ? relative : "";
  }

  /**
   * Makes a link. Its folder exists. A link that is there with the same target is no error.
   *
   * @param replace whether it may replace a file or another link
   * @param label the name in messages
   * @throws FerryException with {@link ErrorKind#ALREADY_EXISTS} if the name is that of a folder or
   *     device, or of anything that is not to be replaced; with {@link ErrorKind#INVALID_REQUEST}
   *     if the file system has no links
   */
  public static void make(Path link, String target, boolean replace, String label)
      throws IOException {
    Path to = link.getFileSystem().getPath(target);
    try {
      try {
        Files.createSymbolicLink(link, to);
      } catch (FileAlreadyExistsException e) {
        if (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).equals(to)) {
          return;
        }
        BasicFileAttributes there =
            Files.readAttributes(link, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!replace || there.isDirectory() || there.isOther()) {
          throw FinalName.exists(label, e);
        }
        Path fresh =
            TemporaryNames.fresh(Objects.requireNonNull(link.toAbsolutePath().getParent()));
        Files.createSymbolicLink(fresh, to);
        try {
          Files.move(fresh, link, StandardCopyOption.ATOMIC_MOVE);
        } finally {
          Files.deleteIfExists(fresh);
        }
      }
    } catch (UnsupportedOperationException e) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, label + ": the file system there has no symbolic links", e);
    }
  }
}
