package dev.ferry.cli.client;

import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.program.StopsOnInterrupt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that uses a server, and ends the calls there when it is interrupted. */
public abstract class ServerCommand implements Callable<Integer>, StopsOnInterrupt {
  @Mixin protected ServerOptions server;
  @Mixin protected OutputFlags output;

  @Override
  public void stop() {
    server.stop();
  }

  @Override
  public final Integer call() throws Exception {
    server.reportTo(output);
    return run();
  }

  /** Returns the exit code. */
  protected abstract int run() throws Exception;
}
