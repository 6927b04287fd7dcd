package dev.ferry.core;

import dev.ferry.core.StoreRule.Permission;
import dev.ferry.core.internal.ForwardingTree;
import dev.ferry.core.internal.LeadingEntries;
import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of a store that one caller may use. Every call is decided by the rules, the operation
 * and the path alone. The store is not asked before, so that an answer says nothing about a file
 * that the caller may not see. Thread-safe.
 *
 * <ul>
 *   <li>What a rule permits is done.
 *   <li>The directories that lead to the path of a rule exist for the caller, and list only what
 *       leads there.
 *   <li>A directory that a rule names with a {@code /} at its end, and in which the caller may list
 *       and create, is made when the caller looks at it, or at what leads there, and it is missing.
 *   <li>A move is one if the caller may delete at the source and create at the target, and sees no
 *       more at the target than at the source.
 *   <li>Any other operation within the path of a rule is {@link ErrorKind#PERMISSION_DENIED}.
 *   <li>All other paths are {@link ErrorKind#NOT_FOUND}, whether they exist or not.
 * </ul>
 *
 * <p>The rules are about names. A symbolic link within the store is the file that it leads to.
 *
 * <p>An upload that can be continued belongs to its caller. For all others it does not exist.
 *
 * @param store the whole store
 * @param caller the name of the caller
 * @param rules what the caller may do; without rules it sees no file
 */
public record GuardedStore(FileStore store, String caller, List<StoreRule> rules)
    implements FileStore {
  private static final System.Logger LOG = System.getLogger(GuardedStore.class.getName());

  /** Copies the rules. */
  public GuardedStore {
    rules = List.copyOf(rules);
  }

  @Override
  public boolean isRemote() {
    return store.isRemote();
  }

  @Override
  public FileStore heldBy(String holder) {
    return new GuardedStore(store.heldBy(holder), caller, rules);
  }

  @Override
  public boolean allows(Permission permission, StorePath path) {
    return permitted(permission, path) && store.allows(permission, path);
  }

  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    return permits(Permission.READ, path)
        ? inOwn(path, () -> store.stat(path, digest))
        : factsWithoutDigests(path, digest);
  }

  @Override
  public FileFacts stat(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    return permits(Permission.READ, path)
        ? inOwn(path, () -> store.stat(path, algorithm))
        : factsWithoutDigests(path, true);
  }

  @Override
  public FileFacts readNow(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    return permits(Permission.READ, path)
        ? store.readNow(path, algorithm)
        : factsWithoutDigests(path, true);
  }

  private FileFacts factsWithoutDigests(StorePath path, boolean digest) throws FerryException {
    if (permits(Permission.LIST, path) && !digest) {
      return inOwn(path, () -> store.stat(path, false)).withoutDigests();
    }
    if (leadsToRule(path)) {
      FileFacts facts = inOwn(path, () -> store.stat(path, false));
      if (facts.directory()) {
        return facts;
      }
    }
    throw refused("read", path);
  }

  /** A caller that may create a file there learns anyway whether there is one. */
  @Override
  public boolean exists(StorePath path) throws FerryException {
    return permits(Permission.CREATE, path)
        ? store.exists(path) || makeOwn(path)
        : FileStore.super.exists(path);
  }

  @Override
  public Listing list(StorePath directory) throws FerryException {
    boolean whole = permits(Permission.LIST, directory);
    if (!whole && !leadsBelow(directory)) {
      throw refused("list", directory);
    }
    makeOwnBelow(directory);
    return guarded(
        whole
            ? inOwn(directory, () -> store.list(directory))
            : LeadingEntries.open(store, directory, rules));
  }

  /** What is below a directory that a caller may list, it may list, too. */
  @Override
  public Listing listTree(StorePath directory) throws FerryException {
    if (!permits(Permission.LIST, directory)) {
      return FileStore.super.listTree(directory);
    }
    makeOwnBelow(directory);
    return guarded(inOwn(directory, () -> store.listTree(directory)));
  }

  private Listing guarded(Listing entries) {
    return new Listing() {
      @Override
      public @Nullable FileFacts next() throws FerryException {
        for (FileFacts entry = entries.next(); entry != null; entry = entries.next()) {
          FileFacts shown = shown(entry);
          if (shown != null) {
            return withoutTarget(shown);
          }
        }
        return null;
      }

      @Override
      public void close() {
        entries.close();
      }
    };
  }

  /** The target of a link may be a name that the caller may not see. */
  private FileFacts withoutTarget(FileFacts entry) {
    return entry.link() == null || permitted(Permission.ALL, StorePath.ROOT)
        ? entry
        : entry.withLink("");
  }

  private @Nullable FileFacts shown(FileFacts entry) {
    StorePath path = new StorePath(entry.name());
    boolean readable = permitted(Permission.READ, path);
    if (permitted(Permission.LIST, path)) {
      return readable ? entry : entry.withoutDigests();
    }
    return leadsToRule(path) && (readable || entry.directory()) ? entry : null;
  }

  @Override
  public StorePath real(StorePath directory) throws FerryException {
    return store.real(directory);
  }

  @Override
  public FileSource open(StorePath path) throws FerryException {
    if (permits(Permission.READ, path)) {
      return inOwn(path, () -> store.open(path));
    }
    if (factsWithoutDigests(path, false).directory()) {
      throw new FerryException(ErrorKind.INVALID_PATH, path + ": is a folder, not a file");
    }
    throw refused("read", path);
  }

  @Override
  public FileSink create(StorePath path, CreateOptions options) throws FerryException {
    UploadPart upload = options.upload();
    CreateOptions own = upload == null ? options : options.withUpload(upload.of(caller));
    if (isOwn(path.parent())) {
      own = own.withMakeParents(true);
    }
    boolean unused = makeOwn(path);
    if (permits(Permission.WRITE, path)) {
      return store.create(path, own);
    }
    if (permits(Permission.CREATE, path)) {
      return store.create(path, own.withCreateOnly(true));
    }
    throw refused("write", path);
  }

  @Override
  public void delete(StorePath path, @Nullable String version) throws FerryException {
    if (!permits(Permission.DELETE, path)) {
      throw refused("delete", path);
    }
    store.delete(path, version);
  }

  /**
   * Moves what the caller may delete at the source and create at the target. If it could read or
   * list it at the target, it must be able to do so at the source: a move shows nothing that was
   * hidden.
   */
  @Override
  public void move(StorePath source, StorePath target, boolean replace) throws FerryException {
    requireMove(source, target);
    makeOwnFor(target);
    store.move(source, target, replace && permits(Permission.WRITE, target));
  }

  private void requireMove(StorePath source, StorePath target) throws FerryException {
    if (!permits(Permission.DELETE, source)
        || reveals(Permission.READ, source, target)
        || reveals(Permission.LIST, source, target)) {
      throw refused("move", source);
    }
    if (!permits(Permission.CREATE, target)) {
      throw refused("write", target);
    }
  }

  /** What a rule permits at a path, it permits below it, too. */
  @Override
  public StagedTree stage(StorePath path, boolean replace) throws FerryException {
    if (!permits(Permission.CREATE, path)) {
      throw refused("write", path);
    }
    if (replace && !permits(Permission.DELETE, path)) {
      throw refused("delete", path);
    }
    makeOwnFor(path);
    return new ForwardingTree(store.stage(path, replace)) {
      @Override
      public void publish(StorePath source) throws FerryException {
        requireMove(source, path);
        super.publish(source);
      }
    };
  }

  /** Whether the caller may do this at the target or below it, and not at the source. */
  private boolean reveals(Permission permission, StorePath source, StorePath target) {
    return !permitted(permission, source)
        && (permitted(permission, target)
            || rules.stream()
                .anyMatch(
                    rule -> rule.permits(permission, rule.path()) && rule.path().isWithin(target)));
  }

  @Override
  public void makeDirectory(StorePath path, boolean parents, @Nullable Integer mode)
      throws FerryException {
    if (!permits(Permission.CREATE, path)) {
      throw refused("write", path);
    }
    boolean unused = makeOwn(path.parent());
    try {
      store.makeDirectory(path, parents, mode);
    } catch (FerryException e) {
      if (e.kind() != ErrorKind.NOT_FOUND || !isOwn(path)) {
        throw e;
      }
      // Nobody else makes what leads to it.
      store.makeDirectory(path, true, mode);
    }
  }

  @Override
  public void setLastModified(StorePath path, Instant time) throws FerryException {
    if (!permits(Permission.WRITE, path)) {
      throw refused("write", path);
    }
    store.setLastModified(path, time);
  }

  @Override
  public @Nullable Space space(StorePath directory) throws FerryException {
    if (!permits(Permission.LIST, directory) && !permits(Permission.READ, directory)) {
      return null;
    }
    return store.space(directory);
  }

  /** A link could lead to what the rules hide, so it is for callers that may do everything. */
  @Override
  public void makeLink(StorePath path, String target, boolean replace) throws FerryException {
    StorePath link = StorePath.parseDirectory(path.value());
    if (!permitted(Permission.ALL, StorePath.ROOT)) {
      throw refused("make a link of", link);
    }
    store.makeLink(path, target, replace);
  }

  /** The rules may have changed since the upload began. */
  @Override
  public KeptUpload upload(UploadId id) throws FerryException {
    KeptUpload upload = store.upload(id.of(caller));
    if (!permits(Permission.CREATE, upload.path())) {
      throw refused("write", upload.path());
    }
    return upload;
  }

  @Override
  public void cancelUpload(UploadId id) throws FerryException {
    store.cancelUpload(id.of(caller));
  }

  /** Decides about a path, and refuses it first if it is not a plain one. */
  private boolean permits(Permission permission, StorePath path) throws FerryException {
    return permitted(permission, StorePath.parseDirectory(path.value()));
  }

  private boolean permitted(Permission permission, StorePath path) {
    for (StoreRule rule : rules) {
      if (rule.permits(permission, path)) {
        return true;
      }
    }
    return false;
  }

  private boolean isOwn(StorePath path) {
    return rules.stream().anyMatch(rule -> rule.directory() && rule.path().equals(path))
        && permitted(Permission.LIST, path)
        && allows(Permission.CREATE, path);
  }

  /** Runs an operation, again if a directory of the caller's own was missing. */
  private <T> T inOwn(StorePath path, Retries.Call<T> operation) throws FerryException {
    try {
      return operation.run();
    } catch (FerryException e) {
      if (e.kind() != ErrorKind.NOT_FOUND || !(makeOwn(path) | makeOwnBelow(path))) {
        throw e;
      }
      return operation.run();
    }
  }

  /**
   * Makes a directory of the caller's own if it is missing.
   *
   * @return whether it was made
   */
  private boolean makeOwn(StorePath path) throws FerryException {
    if (!isOwn(path) || store.exists(path)) {
      return false;
    }
    try {
      store.makeDirectory(path, true, null);
      return true;
    } catch (FerryException e) {
      // The operation that needs it tells the user what is missing, the log tells why.
      if (e.kind() != ErrorKind.ALREADY_EXISTS) {
        LOG.log(
            Level.WARNING, "the folder {0} of a rule cannot be made: {1}", path, e.getMessage());
      }
      return false;
    }
  }

  private boolean makeOwnBelow(StorePath directory) throws FerryException {
    boolean made = false;
    for (StoreRule rule : rules) {
      if (rule.directory() && rule.path().isWithin(directory) && !rule.path().equals(directory)) {
        made |= makeOwn(rule.path());
      }
    }
    return made;
  }

  /** Makes what is missing for a new name. */
  private void makeOwnFor(StorePath path) throws FerryException {
    boolean unused = makeOwn(path) | makeOwn(path.parent());
  }

  /** Returns whether the path of a rule is this one or below it. */
  private boolean leadsToRule(StorePath path) {
    return rules.stream().anyMatch(rule -> rule.path().isWithin(path));
  }

  private boolean leadsBelow(StorePath path) {
    return rules.stream().anyMatch(rule -> rule.path().isWithin(path) && !rule.path().equals(path));
  }

  private FerryException refused(String operation, StorePath path) {
    return rules.stream().anyMatch(rule -> path.isWithin(rule.path()))
        ? new FerryException(
            ErrorKind.PERMISSION_DENIED, path + ": this user may not " + operation + " it")
        : new FerryException(ErrorKind.NOT_FOUND, path + ": no such file");
  }
}
