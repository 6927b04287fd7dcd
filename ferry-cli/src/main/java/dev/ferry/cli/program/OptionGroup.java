package dev.ferry.cli.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The groups of options in a help, by what one wants to do. An option is in the same group in each
 * command, so a new option of several commands needs one word here; without it, the option is
 * {@link #ADVANCED}.
 */
enum OptionGroup {
  USED("Most used"),
  FILES(
      "Files",
      "--force --no-clobber --recursive --include --exclude --links --parents --create-only"
          + " --no-times --discard --delete --max-delete --backup-dir --compare-checksums --dry-run"
          + " --size-only --read-only --max-file-size --keep-free --durable --keep --digest"),
  TRANSFER(
      "Transfer",
      "--gzip --zstd --level --checksum --verify-disk --streams --jobs --bwlimit --timeout"),
  CONNECTION(
      "Connection",
      "--server --client --retries --retry-for --host --grpc-port --http-port --host-name"
          + " --allow-origin"),
  IDENTITY(
      "TLS and identity",
      "--tls --ca --pin --tls-cert --tls-key --tls-min --token-file --target-token-file"
          + " --insecure-no-tls --insecure-anyone --users --callers --init --tls-client-ca --cert --jwt"
          + " --jwt-issuer --jwt-audience --jwt-algorithm --jwt-keys"),
  OUTPUT(
      "Output",
      "--json --quiet --verbose --human-readable --out --audit-log --audit-size --audit-files"
          + " --log-level --log-format --admin --insecure-admin --help --version"),
  ADVANCED("Advanced");

  /** The options that are asked for most, of commands with many of them. */
  private static final Map<String, List<String>> MOST_USED =
      Map.of(
          "get", List.of("--recursive", "--force", "--server", "--streams", "--quiet"),
          "put", List.of("--recursive", "--force", "--server", "--parents", "--quiet"),
          "sync", List.of("--delete", "--dry-run", "--exclude", "--jobs", "--quiet"),
          "cp", List.of("--recursive", "--force", "--parents", "--exclude", "--quiet"),
          "ls", List.of("--recursive", "--human-readable", "--server", "--json", "--quiet"),
          "rm", List.of("--recursive", "--force", "--server", "--verbose", "--json"),
          "cat", List.of("--server", "--tls", "--token-file", "--bwlimit", "--quiet"),
          "check", List.of("--size-only", "--include", "--exclude", "--jobs", "--json"),
          "serve", List.of("--init", "--host", "--read-only", "--http-port", "--tls-cert"));

  /** Options that a command shows in one list. */
  private static final int FEW = 8;

  private final String heading;
  private final Set<String> names;

  OptionGroup(String heading) {
    this(heading, "");
  }

  OptionGroup(String heading, String names) {
    this.heading = heading;
    this.names = Set.of(names.split(" "));
  }

  String heading() {
    return heading;
  }

  /** Returns the options that a command shows, in groups that are not empty. */
  static Map<OptionGroup, List<OptionSpec>> of(CommandSpec command) {
    List<OptionSpec> shown = command.options().stream().filter(option -> !option.hidden()).toList();
    Map<OptionGroup, List<OptionSpec>> groups = new EnumMap<>(OptionGroup.class);
    if (shown.size() <= FEW) {
      groups.put(FILES, shown);
      return groups;
    }
    List<String> used = MOST_USED.getOrDefault(command.name(), List.of());
    for (String name : used) {
      OptionSpec option = command.findOption(name);
      if (option != null) {
        groups.computeIfAbsent(USED, group -> new ArrayList<>()).add(option);
      }
    }
    for (OptionSpec option : shown) {
      if (!used.contains(option.longestName())) {
        groups.computeIfAbsent(of(option), group -> new ArrayList<>()).add(option);
      }
    }
    return groups;
  }

  private static OptionGroup of(OptionSpec option) {
    return Arrays.stream(values())
        .filter(group -> group.names.contains(option.longestName()))
        .findFirst()
        .orElse(ADVANCED);
  }
}
