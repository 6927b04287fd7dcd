package dev.ferry.bench;

import dev.ferry.cli.program.SizeConverter;
import dev.ferry.cli.program.StopsOnInterrupt;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FerryVersion;
import dev.ferry.lab.model.HostPort;
import dev.ferry.lab.model.Printable;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.run.server.BenchServer;
import dev.ferry.lab.run.server.BenchToken;
import dev.ferry.lab.run.server.RemoteServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs the servers of rows for the bench of another machine until it is stopped. */
@Command(
    name = "serve",
    description = {
      "With --bench, runs servers on this machine for a ferry bench on another one, until Ctrl-C.",
      "Prints the token that the bench needs. Anyone who knows it can start the servers of the"
          + " bench here, and send files to them. They listen on the address of --host, on any"
          + " port, and take and give these files in plain text and without the token: use a"
          + " private network."
    },
    exitCodeList = {
      "0:stopped by SIGTERM",
      "1:failure",
      "2:wrong use of the command line",
      "129:stopped because the terminal was closed",
      "130:stopped by Ctrl-C",
      "143:stopped by SIGTERM, and gave up waiting for servers"
    })
final class ServeBenchCommand implements Callable<Integer>, StopsOnInterrupt {
  @Spec private CommandSpec spec;

  @Option(names = "--bench", required = true, description = "Serve a bench, and not a folder.")
  private boolean bench;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = "The address to listen on, 0.0.0.0 for all (default: ${DEFAULT-VALUE}).")
  private String host;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "" + RemoteServer.PORT,
      description = "The port for the bench, 0 for any (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--keep",
      paramLabel = "SIZE",
      defaultValue = "4G",
      converter = SizeConverter.class,
      description =
          "How many bytes of files to keep for further rows (default: ${DEFAULT-VALUE}). A larger"
              + " file is refused.")
  private long keptBytes;

  @Option(
      names = "--work-dir",
      paramLabel = "DIR",
      description = "Where temporary files go (default: the system's temporary folder).")
  private Path workFolder = Path.of(System.getProperty("java.io.tmpdir", "."));

  @Override
  public boolean isDoneWhenTerminated() {
    return true;
  }

  @Override
  public Integer call() throws IOException {
    if (port < 0 || port > 65_535) {
      throw wrongUse("--port: " + port + " is not from 0 to 65535");
    }
    if (!Files.isDirectory(workFolder)) {
      throw wrongUse("--work-dir: " + workFolder + " is not a folder; give one that exists");
    }
    SecureRandom random = new SecureRandom();
    BenchToken token = BenchToken.random(random);
    PrintWriter out = spec.commandLine().getOut();
    try (BenchServer server = start(token, random)) {
      out.println(
          "bench  %s  Ferry %s"
              .formatted(new HostPort(host, server.port()), FerryVersion.current()));
      out.println("token  " + token.value());
      out.flush();
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      out.println("stopped");
      out.flush();
    }
    return 0;
  }

  private BenchServer start(BenchToken token, SecureRandom random) throws FerryException {
    try {
      return BenchServer.start(
          new BenchServer.Settings(
              new InetSocketAddress(host, port),
              token,
              FerryVersion.current(),
              workFolder.toAbsolutePath(),
              keptBytes,
              Clock.systemUTC(),
              random,
              this::log));
    } catch (IOException | IllegalArgumentException e) {
      throw new FerryException(
          ErrorKind.UNAVAILABLE,
          "cannot serve on %s with files in %s (%s); choose another --host, --port or --work-dir"
              .formatted(new HostPort(host, port), workFolder, Reason.of(e)),
          e);
    }
  }

  private void log(String line) {
    LabErrors.say(spec, Printable.of(line));
  }

  private ParameterException wrongUse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
