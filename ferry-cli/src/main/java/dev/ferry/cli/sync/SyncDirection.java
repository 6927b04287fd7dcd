package dev.ferry.cli.sync;

import dev.ferry.cli.client.TreeTransfers;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.cli.tree.TreeTotals;
import dev.ferry.core.FerryException;

/** From where to where files are copied, and how. Thread-safe. */
sealed interface SyncDirection {
  Side source();

  Side target();

  /** Copies a file and counts it. */
  void copy(String path, Entry file, ProgressDisplay shown, TreeTotals totals)
      throws FerryException;

  /** Whether the files of both sides have the same size and digest. */
  boolean equal(String path, ProgressDisplay shown) throws FerryException;

  /** To the server. */
  record Up(LocalSide source, RemoteSide target, TreeTransfers transfers) implements SyncDirection {
    @Override
    public void copy(String path, Entry file, ProgressDisplay shown, TreeTotals totals)
        throws FerryException {
      transfers.put(source.path(path), target.path(path), shown, totals);
    }

    @Override
    public boolean equal(String path, ProgressDisplay shown) throws FerryException {
      return transfers.equal(target.path(path), source.path(path), shown);
    }
  }

  /** From the server. */
  record Down(RemoteSide source, LocalSide target, TreeTransfers transfers)
      implements SyncDirection {
    @Override
    public void copy(String path, Entry file, ProgressDisplay shown, TreeTotals totals)
        throws FerryException {
      transfers.get(source.path(path), target.path(path), shown, totals);
    }

    @Override
    public boolean equal(String path, ProgressDisplay shown) throws FerryException {
      return transfers.equal(source.path(path), target.path(path), shown);
    }
  }
}
