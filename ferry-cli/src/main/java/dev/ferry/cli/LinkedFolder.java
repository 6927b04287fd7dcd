package dev.ferry.cli;

import dev.ferry.cli.access.ServedFolder;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.SinkOptions;
import dev.ferry.core.StagedTree;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder behind a symbolic link, which may be switched to another folder while it is served, as
 * a link to the present release of a program is. Each request looks where the link leads, and has a
 * store of that folder, which no path leaves. What has begun goes on in the folder of before.
 *
 * <p>Whoever switches the link decides what is served. So a link that is in the served folder
 * itself, or leads into it, is not looked at again: users could have made it. Nor is a folder
 * served that has files which protect the server. Thread-safe.
 */
final class LinkedFolder extends ForwardingStore {
  private static final Logger LOG = LoggerFactory.getLogger(LinkedFolder.class);

  private final Path link;
  private final SinkOptions options;
  private final Map<String, Path> outside;
  private volatile LocalFileStore served;

  /** Where the link leads to what cannot be served; null if it does not. Guarded by the lock. */
  private @Nullable Path refused;

  /**
   * @param link a path with links
   * @param served the store of the folder to which it leads
   * @param outside files that must not be in a served folder
   */
  LinkedFolder(Path link, LocalFileStore served, SinkOptions options, Map<String, Path> outside) {
    super(served);
    this.link = link.toAbsolutePath();
    this.served = served;
    this.options = options;
    this.outside = outside;
  }

  /** Whether a path has links to a folder, and others than users of the folder switch them. */
  static boolean isSwitched(Path path, Path folder) throws IOException {
    Path written = path.toAbsolutePath().normalize();
    Path above = written.getParent();
    return !written.equals(folder) && above != null && !above.toRealPath().startsWith(folder);
  }

  @Override
  protected FileStore store() {
    return folder();
  }

  /** A request goes on in the folder in which it began. */
  @Override
  public FileStore heldBy(String holder) {
    return folder().heldBy(holder);
  }

  /** A tree is that of one folder. */
  @Override
  public Listing listTree(StorePath directory) throws FerryException {
    return store().listTree(directory);
  }

  @Override
  public StagedTree stage(StorePath path, boolean replace) throws FerryException {
    return store().stage(path, replace);
  }

  /** Returns the store of the folder to which the link leads. */
  LocalFileStore folder() {
    LocalFileStore known = served;
    try {
      Path real = link.toRealPath();
      return real.equals(known.root()) ? known : switched(real);
    } catch (IOException e) {
      // It is just being switched, or leads nowhere.
      return known;
    }
  }

  private synchronized LocalFileStore switched(Path real) {
    Path before = served.root();
    if (real.equals(before) || real.equals(refused)) {
      return served;
    }
    try {
      requireServable(real);
      served = LocalFileStore.open(real, options);
      refused = null;
      LOG.info("{} leads to {} now, which is served from now on", link, real);
    } catch (IOException e) {
      refused = real;
      LOG.warn(
          "{} leads to {} now, but {} is still served: {}", link, real, before, e.getMessage());
    }
    return served;
  }

  private void requireServable(Path real) throws IOException {
    if (real.startsWith(served.root())) {
      throw new FerryException(
          ErrorKind.INVALID_PATH, "it is in the folder that is served; restart the server");
    }
    String refusal = new ServedFolder(real).refusal(outside);
    if (refusal != null) {
      throw new FerryException(ErrorKind.INVALID_PATH, refusal);
    }
  }
}
