package dev.ferry.cli;

import java.io.IOException;
import java.nio.file.Path;

/** Starts a server in a process of its own, which a test may kill. */
public final class ServeProcess {
  private ServeProcess() {}

  /** Starts one on free ports, which its output names. */
  public static Process start(Path root) throws IOException {
    return new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "serve",
            root.toString(),
            "--grpc-port=0",
            "--http-port=0")
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
