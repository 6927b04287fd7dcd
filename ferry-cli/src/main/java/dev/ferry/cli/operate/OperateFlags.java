package dev.ferry.cli.operate;

import ch.qos.logback.classic.Level;
import dev.ferry.cli.access.ListenAddress;
import dev.ferry.cli.program.SizeConverter;
import dev.ferry.cli.program.TimeConverter;
import dev.ferry.core.FerryException;
import dev.ferry.core.internal.ServerAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for the operation of a server. */
public final class OperateFlags {
  private static final String ADMIN = "--admin";
  private static final String INSECURE = "--insecure-admin";
  private static final long LEAST_AUDIT_BYTES = 64 * 1024;
  private static final int MOST_AUDIT_FILES = 1000;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--drain",
      paramLabel = "TIME",
      converter = TimeConverter.class,
      defaultValue = "5m",
      description =
          "How long SIGTERM waits for running requests while new ones are refused as unavailable"
              + " (default: ${DEFAULT-VALUE}). A second signal ends them at once.")
  private Duration drain;

  @Option(
      names = ADMIN,
      paramLabel = "HOST:PORT",
      description =
          "Open a plain HTTP port for the operator, on an address that only this machine reaches,"
              + " such as 127.0.0.1:7090: /metrics for Prometheus, /live, /ready and /log-level.")
  private @Nullable String admin;

  @Option(
      names = INSECURE,
      description =
          "Let --admin have an address that other machines reach: anyone there can read the metrics"
              + " and change the log level.")
  private boolean insecureAdmin;

  @Option(
      names = "--audit-log",
      paramLabel = "FILE",
      description =
          "Write a line of JSON for each request to FILE, which only its owner may read. If it"
              + " later cannot be written, requests are still served, with a warning.")
  private @Nullable Path auditLog;

  @Option(
      names = "--audit-size",
      paramLabel = "SIZE",
      converter = SizeConverter.class,
      defaultValue = "64M",
      description =
          "The size at which FILE is renamed to FILE.1, and that to FILE.2, 64K at least (default:"
              + " ${DEFAULT-VALUE}).")
  private long auditSize;

  @Option(
      names = "--audit-files",
      paramLabel = "N",
      defaultValue = "8",
      description = "How many renamed files to keep, 0 to 1000 (default: ${DEFAULT-VALUE}).")
  private int auditFiles;

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      defaultValue = "text",
      description =
          "The lines of the log on standard error: text or json (default: text). With json, all"
              + " that the server prints is JSON, on standard output, too, once its options are"
              + " valid.")
  private String logFormat;

  @Option(
      names = "--log-level",
      paramLabel = "LEVEL",
      description =
          "What to log: error, warn, info (each request) or debug (default: warn). The admin port"
              + " can change it.")
  private @Nullable String logLevel;

  /**
   * Opens the audit log, and writes the log from another thread. The caller closes the result after
   * the ports.
   */
  public OperatorServices open() throws FerryException {
    ServerAddress adminAddress = address();
    if (adminAddress != null && !insecureAdmin) {
      requireLoopback(adminAddress);
    }
    if (auditSize < LEAST_AUDIT_BYTES) {
      throw wrongUse("--audit-size: " + auditSize + " bytes are less than 64K");
    }
    if (auditFiles < 0 || auditFiles > MOST_AUDIT_FILES) {
      throw wrongUse("--audit-files: " + auditFiles + " is not from 0 to " + MOST_AUDIT_FILES);
    }
    AuditLog audit =
        auditLog == null
            ? null
            : AuditLog.open(new AuditFile(auditLog, auditSize, auditFiles), Clock.systemUTC());
    return new OperatorServices(new Drain(drain), Logs.apart(), audit, adminAddress);
  }

  /**
   * Sets the log up. As JSON, it includes what the command prints: call this before anything else
   * does.
   */
  public void setUpLog() {
    switch (logFormat) {
      case "json" -> {
        Logs.toJson();
        CommandLine command = spec.commandLine();
        command.setOut(JsonLog.on(command.getOut(), Level.INFO));
        command.setErr(JsonLog.on(command.getErr(), Level.ERROR));
      }
      case "text" -> Logs.toText();
      default -> throw wrongUse("--log-format: '" + logFormat + "' is neither text nor json");
    }
    if (logLevel != null) {
      try {
        Logs.setLevel(logLevel);
      } catch (IllegalArgumentException e) {
        throw wrongUse("--log-level: " + e.getMessage());
      }
    }
  }

  private @Nullable ServerAddress address() {
    if (admin == null) {
      return null;
    }
    try {
      return ServerAddress.parseListening(admin);
    } catch (IllegalArgumentException e) {
      throw wrongUse(ADMIN + ": " + e.getMessage());
    }
  }

  private void requireLoopback(ServerAddress address) throws FerryException {
    try {
      if (!InetAddress.getByName(address.host()).isLoopbackAddress()) {
        throw wrongUse(
            ADMIN
                + ": other machines reach "
                + address.host()
                + ", and the port needs no token; give 127.0.0.1, or add "
                + INSECURE);
      }
    } catch (UnknownHostException e) {
      throw ListenAddress.cannotListen(
          "cannot listen on " + address.host() + ": unknown host", ADMIN, e);
    }
  }

  /** Returns the files of the options, by option. */
  public Map<String, Path> files() {
    return auditLog == null ? Map.of() : Map.of("--audit-log", auditLog);
  }

  /** Returns a line for each protection that the server does without. */
  public List<String> warnings() {
    return admin != null && insecureAdmin
        ? List.of("warning: " + INSECURE + ": anyone who reaches the admin port can use it")
        : List.of();
  }

  private ParameterException wrongUse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
