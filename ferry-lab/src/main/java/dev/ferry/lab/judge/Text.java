package dev.ferry.lab.judge;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What the text around a table says of its rows. */
final class Text {
  private static final Pattern INPUT_OUTPUT =
      Pattern.compile(
          "(?i)http|grpc|socket|network|upload|download|(?<!concurrent )server(?! GC|=)|\\bfiles?\\b");
  private static final Pattern ONE_PROCESS = Pattern.compile("(?i)(one|same|single) process");
  private static final Pattern OWN_PROCESS =
      Pattern.compile("(?i)start(s|ed)? the server|server (runs )?in (a|its own|another) process");
  private static final Pattern LEVEL =
      Pattern.compile(
          "(?i)(?:compress|gzip)(?:(?!compress|gzip)[^\\n])*?\\b(optimal|fastest|smallest)\\b");
  private static final Pattern SERVER =
      Pattern.compile(
          "(?<![\\w.])\\w[\\w.]*\\.Server\\b|\\b(?:Kestrel|IIS|nginx|Jetty|Tomcat|Undertow)\\b");

  /** A hint of BenchmarkDotNet begins with what it is about: the first name before a colon. */
  private static final String HINT = "(?m)^(?>[^\\n]*?\\b(\\w+): )[^\\n]*-> ";

  private static final Pattern OUTLIERS =
      Pattern.compile(HINT + "(\\d+ outliers? +(?:was|were) (?:removed|detected)[^\\n(]*)");
  private static final Pattern MODES =
      Pattern.compile(HINT + "It seems that the distribution ([^\\n(]+)");

  private Text() {}

  static boolean doesInputOrOutput(PublishedTable table) {
    return INPUT_OUTPUT.matcher(table.prose()).find();
  }

  static List<String> findings(PublishedTable table) {
    List<String> sentences = new ArrayList<>();
    OUTLIERS
        .matcher(table.section())
        .results()
        .forEach(
            m -> sentences.add("%s: %s, says the text.".formatted(m.group(1), m.group(2).strip())));
    MODES
        .matcher(table.section())
        .results()
        .forEach(
            m ->
                sentences.add(
                    "%s: the distribution %s, says the text, so its mean describes no sample."
                        .formatted(m.group(1), m.group(2).strip())));
    Set<String> levels = names(LEVEL, table.prose(), 1);
    if (levels.size() > 1) {
      sentences.add(
          "The text names several compression levels (%s): compressed rows may not do equal work."
              .formatted(String.join(", ", levels)));
    }
    Set<String> servers = names(SERVER, table.section(), 0);
    if (servers.size() > 1) {
      sentences.add(
          "The text names several servers (%s): rows may not meet the same one."
              .formatted(String.join(", ", servers)));
    }
    if (table.columns().contains("Allocated") && doesInputOrOutput(table)) {
      sentences.add(allocated(table.prose()));
    }
    return sentences;
  }

  private static Set<String> names(Pattern pattern, String text, int group) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult m) -> group == 0 ? m.group() : m.group(group).toLowerCase(Locale.ROOT))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String allocated(String prose) {
    if (ONE_PROCESS.matcher(prose).find()) {
      return "Allocated covers both client and server: the text says that they share a process.";
    }
    return OWN_PROCESS.matcher(prose).find()
        ? "Allocated covers only the client: the text says that the server is started separately."
        : "Allocated covers the measuring process. The text does not say whether the server runs in"
            + " it, so it may cover only the client.";
  }
}
