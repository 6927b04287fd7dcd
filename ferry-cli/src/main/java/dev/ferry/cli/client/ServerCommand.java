package dev.ferry.cli.client;

import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.program.StopsOnInterrupt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that uses a server, and ends the calls there when it is interrupted. */
public abstract class ServerCommand implements Callable<Integer>, StopsOnInterrupt {
  @Spec protected CommandSpec spec;
  @Mixin private final ServerOptions options = new ServerOptions();
  @Mixin protected final OutputFlags output = new OutputFlags();
  protected final ServerArguments arguments = new ServerArguments(options);
  protected final ServerCalls server = new ServerCalls(arguments, output);
  private volatile @Nullable ServerCalls other;

  /** Returns the calls to another server of the command, which an address names. */
  protected final ServerCalls other(SecondServer second, String address) {
    ServerCalls calls = new ServerCalls(second.of(arguments, address), output);
    other = calls;
    return calls;
  }

  @Override
  public final void stop() {
    server.stop();
    ServerCalls calls = other;
    if (calls != null) {
      calls.stop();
    }
  }
}
