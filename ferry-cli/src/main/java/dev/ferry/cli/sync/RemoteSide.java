package dev.ferry.cli.sync;

import dev.ferry.cli.client.TreeTransfers;
import dev.ferry.cli.tree.RemoteFolder;
import dev.ferry.cli.tree.RemoteTree;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.StorePath;

/**
 * A folder of a server.
 *
 * @param links whether links are made as links, and not followed
 */
record RemoteSide(TreeTransfers transfers, StorePath root, boolean links) implements Side {
  @Override
  public Entries list(String folder) throws FerryException {
    StorePath directory = path(folder);
    RemoteTree.requireDepth(directory, folder.isEmpty() ? 0 : folder.split("/", -1).length);
    RemoteFolder entries = RemoteFolder.open(transfers.lister(), directory);
    return () -> {
      FileFacts facts = entries.next();
      if (facts == null || facts.leftOut() == LeftOut.NAME) {
        return facts == null ? null : Entry.of(facts.name(), facts);
      }
      String name = entries.name(facts);
      return links && facts.link() != null
          ? Entry.link(name, RemoteTree.linkTarget(facts, Side.child(folder, name)))
          : Entry.of(name, facts);
    };
  }

  @Override
  public Digest digest(String path) throws FerryException {
    return transfers.digest(path(path), Digest.Algorithm.CRC32C);
  }

  @Override
  public void makeFolder(String folder) throws FerryException {
    transfers.makeDirectory(path(folder));
  }

  @Override
  public void makeLink(String path, String target) throws FerryException {
    transfers.makeLink(path(path), target);
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
    transfers.move(path(path), ((RemoteSide) to).path(path), replace);
  }

  StorePath path(String below) throws FerryException {
    return TreeTransfers.path(root, below);
  }

  @Override
  public String name(String path) throws FerryException {
    return path(path).value();
  }
}
