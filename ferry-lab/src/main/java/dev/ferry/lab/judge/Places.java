package dev.ferry.lab.judge;

import dev.ferry.lab.model.Row;
import dev.ferry.lab.model.RunDocument;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds Ferry's rows of the same names as those of a published table. */
final class Places {
  /**
   * A table of Ferry's and the headings of the published table that it repeats.
   *
   * @param headings words that occur in the headings
   * @param heading a word that occurs in the last heading
   */
  record Place(String suite, String table, String headings, String heading) {}

  static final List<Place> ALL =
      List.of(
          files("download", "grpc.net.client with", "downloading"),
          files("upload", "grpc.net.client with", "uploading"),
          files("grpc-web-download", "grpc.net.client.web with", "downloading"),
          files("c-core-download", "grpc.core.channel with", "downloading"),
          files("c-core-upload", "grpc.core.channel with", "uploading"),
          files("mixed-download", "grpc.net.client vs grpc.core.channel", "downloading"),
          files("mixed-upload", "grpc.net.client vs grpc.core.channel", "uploading"),
          new Place("file-transfer-short", "download", "benchmarks", "downloading"),
          new Place("file-transfer-short", "upload", "benchmarks", "uploading"),
          new Place("reply-shapes", "small", "grpc benchmarks", "comparison"),
          new Place("reply-shapes", "large", "grpc benchmarks", "comparison"),
          new Place("connection-reuse", "plain", "grpc vs http performance", ""),
          new Place("tasks", "logs-sequential", "web api vs grpc", "sequenced log writing"),
          new Place("tasks", "logs-parallel", "web api vs grpc", "parallel log writing"),
          new Place("tasks", "files-sequential", "web api vs grpc", "sequenced sending of files"),
          new Place("tasks", "files-parallel", "parallel sending of files", ""),
          new Place("tasks", "users", "parallel getting of 1 000 000 users", ""));

  /** Parameters that only Ferry's tables have, and the value that the reports measured. */
  private static final Map<String, String> IMPLIED = Map.of("Digest", "md5");

  private static final Pattern SIZE = Pattern.compile("(\\d{1,9}) ([KMG])i?B");

  private Places() {}

  private static Place files(String table, String headings, String heading) {
    return new Place("file-transfer", table, headings, heading);
  }

  /** Returns the run that has the most rows of the same names; empty if none has one. */
  static Optional<RunDocument> run(PublishedTable table, List<RunDocument> runs) {
    return runs.stream()
        .filter(run -> found(table, rows(table, run)) > 0)
        .max(Comparator.comparingLong(run -> found(table, rows(table, run))));
  }

  /** Returns how many of the published rows have a row of the same name. */
  private static long found(PublishedTable table, List<Row> rows) {
    return table.rows().stream().filter(r -> find(r, rows).isPresent()).count();
  }

  /** Returns the rows of Ferry's table with the most rows of the same names; may be empty. */
  static List<Row> rows(PublishedTable table, RunDocument run) {
    String headings = String.join("\n", table.headings()).toLowerCase(Locale.ROOT);
    String last = table.heading().toLowerCase(Locale.ROOT);
    return ALL.stream()
        .filter(p -> headings.contains(p.headings()) && last.contains(p.heading()))
        .map(
            p ->
                run.rows().stream()
                    .filter(
                        r -> r.key().suite().equals(p.suite()) && r.key().table().equals(p.table()))
                    .toList())
        .max(Comparator.comparingLong(rows -> found(table, rows)))
        .orElse(List.of());
  }

  /** Returns the row of the same method and parameters. */
  static Optional<Row> find(PublishedRow published, List<Row> rows) {
    return rows.stream()
        .filter(r -> r.method().equals(published.method()) && sameSetting(published, r))
        .findFirst();
  }

  private static boolean sameSetting(PublishedRow published, Row row) {
    return row.parameters().keySet().containsAll(published.parameters().keySet())
        && row.parameters().entrySet().stream()
            .allMatch(
                p ->
                    normal(p.getValue())
                        .equals(
                            normal(
                                published
                                    .parameters()
                                    .getOrDefault(p.getKey(), IMPLIED.get(p.getKey())))));
  }

  /** Returns a value without case, and a size in bytes. */
  private static String normal(@Nullable String value) {
    String text = String.valueOf(value);
    Matcher size = SIZE.matcher(text);
    return size.matches()
        ? Long.toString(Long.parseLong(size.group(1)) << (10 * ("KMG".indexOf(size.group(2)) + 1)))
        : text.toLowerCase(Locale.ROOT);
  }
}
