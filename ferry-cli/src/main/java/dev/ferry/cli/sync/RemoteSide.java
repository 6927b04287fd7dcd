package dev.ferry.cli.sync;

import dev.ferry.cli.client.TreeTransfers;
import dev.ferry.cli.tree.RemoteTree;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.StorePath;
import dev.ferry.core.local.SymbolicLinks;
import org.jspecify.annotations.Nullable;

/** A folder of a server. */
final class RemoteSide implements Side {
  private final TreeTransfers transfers;
  private final StorePath root;
  private final boolean links;
  private final RemoteTree tree;

  /**
   * @param links whether links are made as links, and not followed
   */
  RemoteSide(TreeTransfers transfers, StorePath root, boolean links) {
    this.transfers = transfers;
    this.root = root;
    this.links = links;
    tree = transfers.tree(root);
  }

  /** Returns another folder of the same server. */
  RemoteSide beside(StorePath folder) {
    return new RemoteSide(transfers, folder, false);
  }

  @Override
  public Entries list(String folder) throws FerryException {
    StorePath directory = path(folder);
    Side.requireDepth(folder, directory);
    RemoteTree.Folder entries = tree.list(directory);
    return () -> {
      FileFacts facts = entries.next();
      if (facts == null || facts.leftOut() == LeftOut.NAME) {
        return facts == null ? null : Entry.of(facts.name(), facts);
      }
      String name = new StorePath(facts.name()).name();
      String target = facts.link();
      if (!links || target == null) {
        return Entry.of(name, facts);
      }
      // Whatever the server says of it.
      boolean inside = SymbolicLinks.staysInside(Side.depth(Side.child(folder, name)), target);
      return Entry.link(name, inside ? target : "");
    };
  }

  /** A server says of a file, too, that there is no such folder. */
  @Override
  public @Nullable Entries find(String folder) throws FerryException {
    Entries entries = Side.super.find(folder);
    FileFacts there = entries == null ? transfers.facts(path(folder)) : null;
    if (there != null && !there.directory()) {
      throw new FerryException(
          ErrorKind.ALREADY_EXISTS, path(folder) + ": is a file, not a folder; name a folder");
    }
    return entries;
  }

  @Override
  public Digest digest(String path, long size) throws FerryException {
    return transfers.digest(path(path), size, Digest.Algorithm.CRC32C);
  }

  @Override
  public @Nullable Integer mode(String folder) throws FerryException {
    FileFacts facts = transfers.facts(path(folder));
    return facts == null ? null : facts.mode();
  }

  @Override
  public void makeFolder(String folder, @Nullable Integer mode) throws FerryException {
    transfers.makeDirectory(path(folder), mode);
  }

  @Override
  public void deleteFile(String path) throws FerryException {
    transfers.delete(path(path));
  }

  @Override
  public boolean deleteFolder(String path) throws FerryException {
    try {
      transfers.delete(path(path));
      return true;
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.NOT_EMPTY) {
        return false;
      }
      throw e;
    }
  }

  @Override
  public void move(String path, Side to, boolean replace) throws FerryException {
    StorePath target = ((RemoteSide) to).path(path);
    try {
      transfers.move(path(path), target, replace);
    } catch (FerryException e) {
      if (e.kind() != ErrorKind.NOT_FOUND || target.parent().equals(StorePath.ROOT)) {
        throw e;
      }
      makeFoldersFor(path, to);
      transfers.move(path(path), target, replace);
    }
  }

  /**
   * Returns a path on the server.
   *
   * @throws FerryException if a local name cannot be one on a server
   */
  StorePath path(String below) throws FerryException {
    return below.isEmpty() ? root : StorePath.parse(root.child(below).value());
  }

  @Override
  public String name(String path) throws FerryException {
    return path(path).value();
  }
}
