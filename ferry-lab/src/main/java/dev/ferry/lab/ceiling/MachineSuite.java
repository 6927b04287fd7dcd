package dev.ferry.lab.ceiling;

import dev.ferry.lab.model.CeilingName;
import dev.ferry.lab.model.Codec;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.RowSpec.Bounds;
import dev.ferry.lab.suite.RowSpec.Needs;
import dev.ferry.lab.suite.RowSpec.Work;
import dev.ferry.lab.suite.Suite;
import dev.ferry.lab.suite.Table;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;

/**
 * The suite of ceilings: how fast this machine does one part of the work of rows. Nobody asks for
 * its rows. A run measures those that bound its own rows, so it has no tables.
 */
public final class MachineSuite extends Suite {
  private static final int ECHO_BYTES = 1 << 10;

  /** For {@link java.util.ServiceLoader}. */
  public MachineSuite() {
    super(RowKey.MACHINE, "how fast this machine does single parts of the work of rows");
  }

  @Override
  public List<Table> tables() {
    return List.of();
  }

  @Override
  public boolean has(RowKey row) {
    try {
      return row.equals(RowKey.ceiling(CeilingName.of(row), row.ceilingLoad()));
    } catch (IllegalArgumentException e) {
      // It is the name of no ceiling, or no load.
      return false;
    }
  }

  @Override
  public RowSpec row(RowKey key) {
    CeilingName name = CeilingName.of(key);
    Load load = key.ceilingLoad();
    String none = CeilingOperation.NONE;
    return new RowSpec(
        key,
        new RowSpec.Promise(none, none, Codec.NONE, 1),
        load == null ? Work.FILE : Work.of(load, null),
        Needs.NONE,
        Bounds.NONE,
        MachineSuite::serve,
        (workplace, port) -> CeilingOperation.open(name, load, workplace, port));
  }

  /** Starts the server's end of all ceilings on a free port, if it has a process of its own. */
  static SocketServer serve(Workplace workplace) throws IOException {
    return SocketServer.start("ferry-ceiling-connection", channel -> serve(workplace, channel));
  }

  private static void serve(Workplace workplace, SocketChannel channel) throws IOException {
    CeilingRequest request = CeilingRequest.read(channel);
    if (request.way().equals(CeilingRequest.ECHO)) {
      echo(channel);
    } else {
      SocketService.start(request, workplace, channel).join();
    }
  }

  private static void echo(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    ByteBuffer buffer = ByteBuffer.allocateDirect(ECHO_BYTES);
    while (channel.read(buffer.clear()) >= 0) {
      SocketEnd.writeAll(channel, buffer.flip());
    }
  }
}
