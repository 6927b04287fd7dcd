package dev.ferry.core.internal;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.StagedTree;
import dev.ferry.core.StorePath;

/** A tree that does nothing but call another one. Subclasses override what they change. */
public class ForwardingTree implements StagedTree {
  private final StagedTree tree;

  /**
   * @param tree the tree to call, which this closes
   */
  public ForwardingTree(StagedTree tree) {
    this.tree = tree;
  }

  @Override
  public FileStore store() {
    return tree.store();
  }

  @Override
  public void publish() throws FerryException {
    tree.publish();
  }

  @Override
  public void publish(StorePath source) throws FerryException {
    tree.publish(source);
  }

  @Override
  public void close() throws FerryException {
    tree.close();
  }
}
