package dev.ferry.cli.tree;

import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A local tree. Links to files are files; links to directories, and what is neither a file nor a
 * directory, are left out and named.
 *
 * @param filter chooses the files
 * @param leftOut receives a line on each name that is left out
 */
public record LocalTree(NameFilter filter, Consumer<String> leftOut) {
  /** Visits a directory and all that is below it, in the order of the file system. */
  public void walk(Path root, TreeVisitor<Path> visitor) throws FerryException {
    walk(root, "", visitor);
  }

  private void walk(Path directory, String path, TreeVisitor<Path> visitor) throws FerryException {
    visitor.directory(path);
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        String name = String.valueOf(entry.getFileName());
        if (!name.startsWith(StorePath.RESERVED_PREFIX)) {
          visit(entry, path.isEmpty() ? name : path + "/" + name, visitor);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw FerryException.of(Objects.requireNonNull(e.getCause()), directory.toString());
    } catch (IOException e) {
      throw FerryException.of(e, directory.toString());
    }
  }

  private void visit(Path entry, String below, TreeVisitor<Path> visitor) throws FerryException {
    if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
      if (filter.enters(below)) {
        walk(entry, below, visitor);
      }
    } else if (Files.isRegularFile(entry)) {
      if (filter.takes(below)) {
        visitor.file(below, entry);
      }
    } else if (filter.takes(below)) {
      leftOut.accept(entry + ": left out, it is neither a file nor a folder");
    }
  }
}
