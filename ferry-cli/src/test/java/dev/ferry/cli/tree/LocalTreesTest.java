package dev.ferry.cli.tree;

import dev.ferry.cli.Servers;
import dev.ferry.core.Round;
import java.nio.file.Path;

/** Trees of a server whose store is a folder. */
final class LocalTreesTest extends GeneratedTreesContract {
  @Override
  protected int samples() {
    return Round.times(20, 50);
  }

  @Override
  protected Servers servers(Path root) throws Exception {
    return Servers.start(root);
  }
}
