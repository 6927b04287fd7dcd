package dev.ferry.cli;

import dev.ferry.cli.program.TimeConverter;
import dev.ferry.wire.Caller;
import dev.ferry.wire.CallersFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes the callers file of a server. A running server notices it. */
@Command(
    name = "token",
    description = {
      "Adds, changes, lists and removes the users of 'serve --users FILE'.",
      "The server knows a user by a token, a certificate or a JWT, and reads FILE again"
          + " within a second."
    },
    footer = {
      "",
      "Examples:",
      "  ferry token add users alice read:/ write:/inbox",
      "  ferry token list users"
    })
final class TokenCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** Without a command of its own. */
  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "nothing to do; give add, rotate, set, list or remove");
  }

  @Command(
      name = "add",
      description = {
        "Adds a user, and prints the new token, which cannot be shown again.",
        "Makes FILE if there is none. Each rule is read, list, create, write, delete or all, and a"
            + " path below which it is permitted: 'read:/ write:/inbox'. Among the rules,"
            + " requests:20/s limits requests to 20 a second (or /m, /h, /d), calls:4 to 4 at a"
            + " time, and bytes:50M/s what they send and receive of files together.",
        "With --cert or --jwt the user has no token, and nothing is printed."
      })
  void add(
      @Option(
              names = "--cert",
              paramLabel = "NAME",
              description =
                  "A subject alternative name of the user's certificate: dns:NAME, email:ADDRESS"
                      + " or uri:URI.")
          @Nullable String certificate,
      @Option(
              names = "--jwt",
              paramLabel = "SUBJECT",
              description = "The subject of the user's JWTs.")
          @Nullable String subject,
      @Parameters(paramLabel = "FILE", description = "The file of --users.") Path file,
      @Parameters(paramLabel = "NAME", description = "A name for the user.") String name,
      @Parameters(paramLabel = "RULE", arity = "1..*", description = "What the user may do.")
          List<String> rules)
      throws IOException {
    if (certificate != null && subject != null) {
      throw new ParameterException(
          spec.commandLine(), "--cert, --jwt: a user has only one of them; leave out one");
    }
    if (certificate != null) {
      CallersFile.addCertificate(file, name, certificate, rules);
    } else if (subject != null) {
      CallersFile.addSubject(file, name, subject, rules);
    } else {
      out().println(CallersFile.addToken(file, name, rules));
    }
  }

  @Command(
      name = "rotate",
      description = {
        "Gives a user a new token, and prints it.",
        "The old token stays valid for the time of --keep, so that clients can change to the new"
            + " one."
      })
  void rotate(
      @Option(
              names = "--keep",
              paramLabel = "TIME",
              defaultValue = "24h",
              converter = TimeConverter.class,
              description =
                  "How long the old token stays valid, such as 1h (default: ${DEFAULT-VALUE}).")
          Duration keep,
      @Parameters(paramLabel = "FILE", description = "The file of --users.") Path file,
      @Parameters(paramLabel = "NAME", description = "The name of the user.") String name)
      throws IOException {
    out().println(CallersFile.rotateToken(file, name, Instant.now().plus(keep)));
  }

  @Command(name = "set", description = "Gives a user other rules and limits. It keeps its token.")
  void set(
      @Parameters(paramLabel = "FILE", description = "The file of --users.") Path file,
      @Parameters(paramLabel = "NAME", description = "The name of the user.") String name,
      @Parameters(
              paramLabel = "RULE",
              arity = "1..*",
              description = "What the user may do, as for 'ferry token add'.")
          List<String> rules)
      throws IOException {
    CallersFile.setRules(file, name, rules);
  }

  @Command(
      name = "list",
      description =
          "Lists the users and their rules, and until when a token from before 'ferry token rotate'"
              + " is still valid.")
  void list(@Parameters(paramLabel = "FILE", description = "The file of --users.") Path file)
      throws IOException {
    Map<String, Instant> former = CallersFile.formerTokens(file, Instant.now());
    for (Caller caller : CallersFile.list(file)) {
      Instant until = former.get(caller.name());
      out()
          .println(
              caller.name()
                  + "  "
                  + Stream.concat(caller.rules().stream(), caller.limits().texts().stream())
                      .map(Object::toString)
                      .collect(Collectors.joining("  "))
                  + (until == null ? "" : "  (former token valid until " + until + ")"));
    }
  }

  @Command(name = "remove", description = "Removes a user. Running transfers are not ended.")
  void remove(
      @Parameters(paramLabel = "FILE", description = "The file of --users.") Path file,
      @Parameters(paramLabel = "NAME", description = "The name of the user.") String name)
      throws IOException {
    CallersFile.removeToken(file, name);
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
