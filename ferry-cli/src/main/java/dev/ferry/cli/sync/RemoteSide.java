package dev.ferry.cli.sync;

import dev.ferry.cli.client.TreeTransfers;
import dev.ferry.cli.tree.RemoteFolder;
import dev.ferry.cli.tree.RemoteTree;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.StorePath;

/** A folder of a server. */
record RemoteSide(TreeTransfers transfers, StorePath root) implements Side {
  @Override
  public Entries list(String folder) throws FerryException {
    StorePath directory = path(folder);
    RemoteTree.requireDepth(directory, folder.isEmpty() ? 0 : folder.split("/", -1).length);
    RemoteFolder entries = RemoteFolder.open(transfers.lister(), directory);
    return () -> {
      FileFacts facts = entries.next();
      return facts == null
          ? null
          : Entry.of(facts.leftOut() == LeftOut.NAME ? facts.name() : entries.name(facts), facts);
    };
  }

  @Override
  public void makeFolder(String folder) throws FerryException {
    transfers.makeDirectory(path(folder));
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
