package dev.ferry.cli.client;

import dev.ferry.cli.tree.PathPattern;
import dev.ferry.cli.tree.RemoteFolder;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.StorePath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files and folders of a server that the arguments of a command name. An argument may be a
 * pattern, as of a shell: {@code *}, {@code ?} and {@code [...]} match within a name, and none of
 * them a dot at its start. After a backslash they are plain characters, and so they are where an
 * address has them percent-encoded. A name that exists as it is written is no pattern.
 */
final class RemoteNames {
  private static final Pattern WILD = Pattern.compile("[*?\\[]");

  /** Letters and digits are plain without a backslash, so one before them is part of the name. */
  private static final Pattern ESCAPED = Pattern.compile("\\\\([^A-Za-z0-9])");

  private final ServerArguments arguments;
  private final ServerCalls server;

  /** Arguments that the server has no name for. It is asked once for each. */
  private final Set<String> patterns = new HashSet<>();

  /**
   * @param facts what a list of the server says of it; null if it was not listed
   * @param failure why there is nothing for a pattern, whose path this is then; null for a name
   */
  record Named(StorePath path, @Nullable FileFacts facts, @Nullable FerryException failure) {
    Named(StorePath path, @Nullable FileFacts facts) {
      this(path, facts, null);
    }

    /** Throws the failure if there is one. */
    void require() throws FerryException {
      if (failure != null) {
        throw failure;
      }
    }

    /** Whether it is a folder. Asks the server if that is not known. */
    boolean isFolder(ServerCalls server) throws FerryException {
      if (facts != null) {
        return facts.directory();
      }
      FileFacts there = server.facts(path);
      return there != null && there.directory();
    }
  }

  RemoteNames(ServerCalls server) {
    this.arguments = server.arguments();
    this.server = server;
  }

  /**
   * Returns the file or folder that an argument names, whether or not it exists; null if the
   * argument is a pattern.
   */
  @Nullable StorePath name(String argument) throws FerryException {
    StorePath written = arguments.directoryPath(argument);
    if (patterns.contains(argument)) {
      return null;
    }
    if (WILD.matcher(written.value()).find() && server.facts(written) == null) {
      String pattern = arguments.pattern(argument);
      if (!isWild(pattern)) {
        return arguments.storePath(plain(pattern));
      }
      patterns.add(argument);
      return null;
    }
    return written;
  }

  private static boolean isWild(String pattern) {
    return WILD.matcher(ESCAPED.matcher(pattern).replaceAll("")).find();
  }

  /** Returns the name that a pattern without wildcards is. */
  private static String plain(String pattern) {
    return ESCAPED.matcher(pattern).replaceAll("$1");
  }

  /** The facts of a file or folder; null if there is none, or the user may not know. */
  static @Nullable FileFacts facts(Carrier carrier, StorePath path) throws FerryException {
    try {
      return carrier.stat(path, null, CallLimits.DEFAULT);
    } catch (FerryException e) {
      return switch (e.kind()) {
        case NOT_FOUND, PERMISSION_DENIED, INVALID_PATH -> null;
        default -> throw e;
      };
    }
  }

  /**
   * Returns what the arguments name, in their order. A pattern that matches nothing, or whose
   * folder cannot be listed, has its failure in its place, so that the command goes on with the
   * others.
   */
  List<Named> of(List<String> texts) throws FerryException {
    texts.forEach(arguments::directoryPath);
    List<Named> all = new ArrayList<>();
    for (String argument : texts) {
      StorePath name = name(argument);
      if (name == null) {
        match(argument, all);
      } else {
        all.add(new Named(name, null));
      }
    }
    return all;
  }

  private void match(String argument, List<Named> all) throws FerryException {
    StorePath written = arguments.directoryPath(argument);
    int before = all.size();
    try {
      match(StorePath.ROOT, arguments.pattern(argument).split("/", -1), 0, all);
      if (all.size() == before) {
        // The server says that there is no such file.
        FileFacts facts = server.call(c -> c.stat(written, null, CallLimits.DEFAULT));
        all.add(new Named(written, facts));
      }
    } catch (FerryException e) {
      switch (e.kind()) {
        case NOT_FOUND, PERMISSION_DENIED, INVALID_PATH -> all.add(new Named(written, null, e));
        default -> throw e;
      }
    }
  }

  /** Requires that several files or folders can be put into one folder. */
  void requireOwnNames(List<Named> all) {
    Map<String, StorePath> taken = new HashMap<>();
    for (Named named : all) {
      if (named.failure() != null) {
        continue;
      }
      StorePath same = taken.put(named.path().name(), named.path());
      if (same != null) {
        throw arguments.wrongUse(
            same + " and " + named.path() + ": have the same name; copy them one by one");
      }
    }
  }

  private void match(StorePath folder, String[] names, int next, List<Named> all)
      throws FerryException {
    boolean last = next == names.length - 1;
    if (!isWild(names[next])) {
      // Checked, since a segment such as \.. is a name that it is not without its backslash.
      StorePath path = arguments.storePath(folder.child(plain(names[next])).value());
      if (!last) {
        match(path, names, next + 1, all);
        return;
      }
      FileFacts facts = server.facts(path);
      if (facts != null) {
        all.add(new Named(path, facts));
      }
      return;
    }
    Predicate<String> pattern = pattern(names[next]);
    RemoteFolder entries = opened(folder);
    for (FileFacts entry = entries == null ? null : entries.next();
        entries != null && entry != null;
        entry = entries.next()) {
      if (entry.leftOut() == LeftOut.NAME || !pattern.test(entries.name(entry))) {
        continue;
      }
      StorePath path = folder.child(entries.name(entry));
      if (last) {
        all.add(new Named(path, entry));
      } else if (entry.directory()) {
        match(path, names, next + 1, all);
      }
    }
  }

  /** Returns null if there is no such folder. */
  private @Nullable RemoteFolder opened(StorePath folder) throws FerryException {
    try {
      return RemoteFolder.open(server::list, folder);
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.NOT_FOUND) {
        return null;
      }
      throw e;
    }
  }

  private Predicate<String> pattern(String name) {
    try {
      Predicate<String> pattern = PathPattern.ofName(name);
      return plain(name).startsWith(".")
          ? pattern
          : pattern.and(candidate -> !candidate.startsWith("."));
    } catch (IllegalArgumentException e) {
      throw arguments.wrongUse("'" + name + "' is not a pattern: " + e.getMessage(), e);
    }
  }
}
