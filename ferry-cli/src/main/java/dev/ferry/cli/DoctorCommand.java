package dev.ferry.cli;

import dev.ferry.cli.doctor.Finding;
import dev.ferry.cli.doctor.LibraryChecks;
import dev.ferry.cli.doctor.MachineChecks;
import dev.ferry.cli.doctor.ServerChecks;
import dev.ferry.core.internal.PlainText;
import dev.ferry.library.Protocol;
import dev.ferry.wire.ServerSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Checks whether a server can run on this machine. */
@Command(
    name = "doctor",
    description = {
      "Checks whether a server with these options can run on this machine, and says what each"
          + " finding means. It changes nothing.",
      "A note concerns speed or size. A fault prevents the server from running, and makes this"
          + " command fail."
    },
    footer = {"", "Examples:", "  ferry doctor /srv/files", "  ferry doctor --http-port 8080"})
final class DoctorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      defaultValue = ".",
      description = "The folder to serve (default: the current one).")
  private Path directory;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = "The address to listen on (default: ${DEFAULT-VALUE}).")
  private String host;

  @Option(
      names = "--grpc-port",
      paramLabel = "PORT",
      defaultValue = "" + Protocol.GRPC_PORT,
      description = "The port for gRPC (default: ${DEFAULT-VALUE}).")
  private int grpcPort;

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      defaultValue = "" + Protocol.HTTP_PORT,
      description = "The port for HTTP and gRPC-Web (default: ${DEFAULT-VALUE}).")
  private int httpPort;

  @ArgGroup(exclusive = false)
  private @Nullable Certificate certificate;

  /** The files of a certificate. */
  static final class Certificate {
    @Option(
        names = "--tls-cert",
        required = true,
        paramLabel = "FILE",
        description = "The certificate chain of the server.")
    private Path certificate;

    @Option(
        names = "--tls-key",
        required = true,
        paramLabel = "FILE",
        description = "The key of --tls-cert.")
    private Path key;
  }

  @Override
  public Integer call() {
    requirePort("--grpc-port", grpcPort);
    requirePort("--http-port", httpPort);
    List<Finding> findings = new ArrayList<>();
    findings.add(ServerChecks.folder(directory));
    findings.add(ServerChecks.port(host, grpcPort, "gRPC"));
    findings.add(ServerChecks.port(host, httpPort, "HTTP and gRPC-Web"));
    if (certificate != null) {
      findings.add(
          ServerChecks.certificate(certificate.certificate, certificate.key, Instant.now()));
    }
    findings.addAll(MachineChecks.all(ServerSettings.DEFAULT_MAX_CONNECTIONS));
    findings.addAll(LibraryChecks.all());
    PrintWriter out = spec.commandLine().getOut();
    for (Finding finding : findings) {
      out.printf(
          Locale.ROOT,
          "%-5s  %-11s  %s%n",
          finding.level().name().toLowerCase(Locale.ROOT),
          finding.subject(),
          PlainText.of(finding.text()));
    }
    return findings.stream().anyMatch(finding -> finding.level() == Finding.Level.FAULT)
        ? ExitCode.SOFTWARE
        : ExitCode.OK;
  }

  private void requirePort(String option, int port) {
    if (port < 1 || port > 65_535) {
      throw new ParameterException(
          spec.commandLine(), option + ": " + port + " is not from 1 to 65535");
    }
  }
}
