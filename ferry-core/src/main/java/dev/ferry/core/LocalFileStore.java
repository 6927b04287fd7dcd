package dev.ferry.core;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store in a local folder.
 *
 * <p>Names are {@link StorePath}s; a symbolic link is followed only while it stays below the root.
 * Uploads replace atomically. What a killed process left half-received is deleted when the store is
 * opened. Thread-safe.
 */
public final class LocalFileStore implements FileStore {
  private final Path root;
  private final SinkOptions sinkOptions;
  private final DigestCache digests = new DigestCache();

  private LocalFileStore(Path root, SinkOptions sinkOptions) {
    this.root = root;
    this.sinkOptions = sinkOptions;
  }

  /** Opens a store with the default limits. */
  public static LocalFileStore open(Path root) throws FerryException {
    return open(root, SinkOptions.DEFAULT);
  }

  /**
   * Opens a store and sweeps leftovers, which reads every directory below the root once.
   *
   * @param sinkOptions how uploads are received; {@code createOnly} is each upload's own
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} unless the root is a directory
   */
  public static LocalFileStore open(Path root, SinkOptions sinkOptions) throws FerryException {
    try {
      Path real = root.toRealPath();
      if (!Files.isDirectory(real)) {
        throw new FerryException(ErrorKind.NOT_FOUND, root + ": is not a directory");
      }
      TemporaryNames.sweep(real);
      return new LocalFileStore(real, sinkOptions);
    } catch (IOException e) {
      throw FerryException.of(e, root.toString());
    }
  }

  /** The folder, with all symbolic links resolved. */
  public Path root() {
    return root;
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    Path file = existing(path);
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      FileFacts facts = FileSource.facts(path.value(), attributes);
      if (facts.directory()) {
        return facts;
      }
      Sha256 known = digests.get(file, attributes);
      if (known == null && digest) {
        try (FileSource source = FileSource.open(file, path.value())) {
          known = source.sha256();
          source.verifyUnchanged();
          digests.put(file, attributes, known);
        }
      }
      return facts.withSha256(known);
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
  }

  @Override
  public List<FileFacts> list(StorePath directory) throws FerryException {
    Path folder = existing(directory);
    List<FileFacts> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      for (Path entry : stream) {
        FileFacts facts = entryFacts(directory, entry);
        if (facts != null) {
          entries.add(facts);
        }
      }
    } catch (NotDirectoryException e) {
      throw new FerryException(
          ErrorKind.NOT_FOUND, directory.value() + ": is a file, not a directory", e);
    } catch (IOException e) {
      throw FerryException.of(e, directory.value());
    }
    entries.sort(Comparator.comparing(FileFacts::name));
    return entries;
  }

  private @Nullable FileFacts entryFacts(StorePath directory, Path entry) throws IOException {
    String name = String.valueOf(entry.getFileName());
    if (TemporaryNames.isTemporary(name)) {
      return null;
    }
    try {
      StorePath path = directory.child(name);
      Path file = existing(path);
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return FileSource.facts(path.value(), attributes)
          .withSha256(attributes.isDirectory() ? null : digests.get(file, attributes));
    } catch (FerryException e) {
      // A link that leads out or nowhere is no entry of this store.
      return null;
    } catch (NoSuchFileException e) {
      // Deleted since the directory was read.
      return null;
    }
  }

  @Override
  public FileSource open(StorePath path) throws FerryException {
    Path file = existing(path);
    FileSource source = FileSource.open(file, path.value());
    return source.withKnownDigest(digests.get(file, source.attributes()));
  }

  @Override
  public FileSink create(StorePath path, boolean createOnly) throws FerryException {
    Path target = root.resolve(path.value());
    requireInside(nearestExisting(target), path);
    // A link as the target itself would be replaced, not followed: that stays inside.
    return FileSink.create(target, path.value(), sinkOptions.withCreateOnly(createOnly))
        .onCommit(digests::put);
  }

  private Path existing(StorePath path) throws FerryException {
    Path file = root.resolve(path.value());
    try {
      Path real = file.toRealPath();
      requireInside(real, path);
      return real;
    } catch (IOException e) {
      throw FerryException.of(e, path.value());
    }
  }

  /** The deepest directory above a target that exists, with all links resolved. */
  private Path nearestExisting(Path target) throws FerryException {
    try {
      Path p = target.getParent();
      while (p != null && !p.equals(root) && !Files.exists(p, LinkOption.NOFOLLOW_LINKS)) {
        p = p.getParent();
      }
      return p == null ? root : p.toRealPath();
    } catch (IOException e) {
      throw FerryException.of(e, String.valueOf(target.getFileName()));
    }
  }

  private void requireInside(Path real, StorePath path) throws FerryException {
    if (!real.startsWith(root)) {
      throw new FerryException(
          ErrorKind.INVALID_PATH,
          "invalid path '" + path + "': a symbolic link leads out of the store");
    }
  }
}
