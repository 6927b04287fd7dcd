package dev.ferry.cli;

import dev.ferry.cli.access.JwtFlags;
import dev.ferry.core.FerryException;
import dev.ferry.wire.CallersFile;
import dev.ferry.wire.CrossOrigin;
import dev.ferry.wire.ServerSettings;
import dev.ferry.wire.internal.contract.BasePath;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for users, host names and allowed origins. */
final class AccessFlags {
  private static final String USERS = "--users";
  private static final String CALLERS = "--callers";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = USERS,
      paramLabel = "FILE",
      description =
          "Serve only the users of this file, each within its rules; 'ferry token add' makes it."
              + " It is read again when it changes. It must be outside of DIR.")
  private @Nullable Path users;

  @Option(
      names = CALLERS,
      paramLabel = "FILE",
      hidden = true,
      description = "The earlier name of " + USERS + ".")
  private @Nullable Path formerlyNamed;

  @Mixin private JwtFlags jwt;

  @Option(
      names = "--host-name",
      paramLabel = "NAME",
      description =
          "A name under which clients reach the HTTP port, such as files.example.org. The"
              + " default on a loopback address is localhost and the like; on other addresses"
              + " any name is accepted until one is given here. Can be given several times.")
  private List<String> hostNames = List.of();

  @Option(
      names = "--base-path",
      paramLabel = "PATH",
      description =
          "The path under which a proxy serves the HTTP port, such as /ferry. Requests may include"
              + " it or not; responses link to paths below it.")
  private @Nullable String basePath;

  @Option(
      names = "--allow-origin",
      paramLabel = "ORIGIN",
      description =
          "A web site whose pages may use the HTTP port, such as https://example.org, or *"
              + " for all (default: none but the server's own). Can be given several times.")
  private List<String> origins = List.of();

  /** Applies the options to the settings. */
  ServerSettings in(ServerSettings settings) throws FerryException {
    ServerSettings named = named("--host-name", () -> settings.withHostNames(hostNames));
    String base = basePath;
    ServerSettings below =
        base == null
            ? named
            : named("--base-path", () -> named.withBasePath(BasePath.parse(base).value()));
    ServerSettings allowed =
        named("--allow-origin", () -> below.withAllowedOrigins(new CrossOrigin(origins)));
    Path file = users == null ? formerlyNamed : users;
    return allowed.withCallers(jwt.in(file == null ? null : CallersFile.open(file)));
  }

  /** The files of the options, by option. */
  Map<String, Path> files() {
    Map<String, Path> files = new LinkedHashMap<>(jwt.files());
    if (users != null) {
      files.put(USERS, users);
    }
    if (formerlyNamed != null) {
      files.put(CALLERS, formerlyNamed);
    }
    return files;
  }

  private ServerSettings named(String option, Supplier<ServerSettings> settings) {
    try {
      return settings.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage(), e);
    }
  }
}
