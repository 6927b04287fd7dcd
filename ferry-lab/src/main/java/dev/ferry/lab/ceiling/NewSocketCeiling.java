package dev.ferry.lab.ceiling;

import dev.ferry.lab.model.Direction;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;

/**
 * As {@link SocketCeiling}, but with a connection for each operation, which is made in its time.
 */
final class NewSocketCeiling implements CeilingOperation.Task {
  private final Direction direction;
  private final SocketWay way;
  private final Workplace workplace;
  private final int port;
  private final FreshFile.Names targets;

  /**
   * Creates it without a connection.
   *
   * @param port the port of a {@link MachineSuite} in another process; 0 for a server in this
   *     process
   */
  NewSocketCeiling(Direction direction, SocketWay way, Workplace workplace, int port) {
    this.direction = direction;
    this.way = way;
    this.workplace = workplace;
    this.port = port;
    this.targets = SocketService.targets(new CeilingRequest(direction, way), workplace);
  }

  @Override
  public void prepare() {
    targets.prepare();
  }

  @Override
  public void run(int operation) throws IOException {
    try (SocketCeiling connection = SocketCeiling.open(direction, way, workplace, port)) {
      connection.move(targets.number(operation));
    }
  }

  @Override
  public void check(int operation) throws IOException {
    targets.of(targets.number(operation)).check(workplace, workplace.targets(direction));
  }
}
