package dev.ferry.cli.sync;

import dev.ferry.cli.tree.FolderRefused;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.LocalNames;
import dev.ferry.core.internal.Modes;
import dev.ferry.core.local.LocalFileSink;
import dev.ferry.core.local.SymbolicLinks;
import java.io.IOException;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A local folder. Links in it are not followed, except those to files, which are files. Temporary
 * files of Ferry do not exist here.
 *
 * @param links whether links are made as links, also those to files
 */
record LocalSide(Path root, boolean links) implements Side {
  /** Holds the names of the folder in memory, and reads the facts of each on demand. */
  @Override
  public Entries list(String folder) throws FerryException {
    Path directory = path(folder);
    Side.requireDepth(folder, directory);
    List<String> names = new ArrayList<>();
    List<Entry> unnamed = new ArrayList<>();
    read(directory, names, unnamed);
    names.sort(StorePath::compare);
    Iterator<String> left = names.iterator();
    Iterator<Entry> first = unnamed.iterator();
    return () -> {
      Entry entry = first.hasNext() ? first.next() : null;
      while (entry == null && left.hasNext()) {
        entry = entry(directory, folder, left.next());
      }
      return entry;
    };
  }

  private static void read(Path directory, List<String> names, List<Entry> unnamed)
      throws FerryException {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      // To open a named pipe would block.
      throw new FerryException(
          ErrorKind.ALREADY_EXISTS, directory + ": is a file, not a folder; name a folder");
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        if (!LocalFileSink.isFerrys(entry)) {
          add(entry, names, unnamed);
        }
      }
    } catch (NoSuchFileException e) {
      throw new FerryException(
          ErrorKind.NOT_FOUND, directory + ": no such folder; name another one", e);
    } catch (DirectoryIteratorException e) {
      throw FerryException.of(Objects.requireNonNull(e.getCause()), directory.toString());
    } catch (IOException e) {
      throw FerryException.of(e, directory.toString());
    }
  }

  private static void add(Path entry, List<String> names, List<Entry> unnamed) {
    try {
      names.add(LocalNames.segment(entry));
    } catch (FerryException e) {
      String shown = LocalNames.shown(entry);
      String reason = String.valueOf(e.getMessage());
      unnamed.add(Entry.leftOut(shown, Entry.Kind.UNNAMED, reason));
    }
  }

  /** Returns the facts of a name; null if it was deleted meanwhile. */
  private @Nullable Entry entry(Path directory, String folder, String name) throws FerryException {
    Path path = directory.resolve(name);
    try {
      BasicFileAttributes found = Modes.readAttributes(path, LinkOption.NOFOLLOW_LINKS);
      if (!found.isSymbolicLink()) {
        return Entry.of(name, FileFacts.of(name, found));
      }
      if (links) {
        return Entry.link(name, SymbolicLinks.read(path, Side.depth(Side.child(folder, name))));
      }
      if (Files.isRegularFile(path)) {
        return Entry.of(name, FileFacts.of(name, Modes.readAttributes(path)));
      }
      String reason = "it is a symbolic link to no file";
      return Entry.leftOut(name, Entry.Kind.LINK, reason);
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      return Entry.leftOut(name, Entry.Kind.OTHER, LeftOut.UNREADABLE.reason());
    }
  }

  @Override
  public Digest digest(String path, long size) throws FerryException {
    try {
      return Digest.Algorithm.CRC32C.ofFile(path(path));
    } catch (IOException e) {
      throw FerryException.of(e, name(path));
    }
  }

  @Override
  public @Nullable Integer mode(String folder) throws FerryException {
    try {
      return Modes.of(Modes.readAttributes(path(folder)));
    } catch (NoSuchFileException e) {
      return null;
    } catch (IOException e) {
      throw FerryException.of(e, name(folder));
    }
  }

  @Override
  public void makeFolder(String folder, @Nullable Integer mode) throws FerryException {
    Path made = path(folder);
    if (!folder.isEmpty() && Files.isSymbolicLink(made)) {
      throw isLink(made);
    }
    try {
      Files.createDirectories(made, Modes.creatingFolder(made, mode));
    } catch (FileAlreadyExistsException e) {
      throw FolderRefused.fileThere(made);
    } catch (IOException e) {
      throw FerryException.of(e, made.toString());
    }
  }

  /** The failure for a link in the place of a directory. */
  static FerryException isLink(Path link) {
    return new FerryException(
        ErrorKind.INVALID_PATH, link + ": is a symbolic link, which is not followed; remove it");
  }

  @Override
  public void deleteFile(String path) throws FerryException {
    try {
      Files.deleteIfExists(path(path));
    } catch (IOException e) {
      throw FerryException.of(e, name(path));
    }
  }

  @Override
  public boolean deleteFolder(String path) throws FerryException {
    try {
      LocalFileSink.sweepBeforeDeletion(path(path));
      Files.deleteIfExists(path(path));
      return true;
    } catch (DirectoryNotEmptyException e) {
      return false;
    } catch (IOException e) {
      throw FerryException.of(e, name(path));
    }
  }

  @Override
  public void move(String path, Side to, boolean replace) throws FerryException {
    Path target = ((LocalSide) to).path(path);
    try {
      if (Files.notExists(target.toAbsolutePath().getParent())) {
        makeFoldersFor(path, to);
      }
      CopyOption[] options =
          replace ? new CopyOption[] {StandardCopyOption.REPLACE_EXISTING} : new CopyOption[0];
      Files.move(path(path), target, options);
    } catch (NoSuchFileException e) {
      throw FerryException.of(e, name(path));
    } catch (DirectoryNotEmptyException e) {
      throw FerryException.of(new FileAlreadyExistsException(target.toString()), target.toString());
    } catch (IOException e) {
      throw FerryException.of(e, target.toString());
    }
  }

  Path path(String below) {
    return root.resolve(below);
  }

  @Override
  public String name(String path) {
    return path(path).toString();
  }
}
