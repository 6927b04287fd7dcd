package dev.ferry.http.internal.page;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.StoreRule.Permission;
import dev.ferry.wire.internal.contract.BasePath;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The page of a folder, with its first entries, so that it is of use before the script runs and
 * without it. The script gets the whole list.
 */
public final class FolderPage {
  /**
   * Entries of a page. A longer list leads to the next one. A browser shows nothing before all of
   * them are laid out, which takes it 10 to 20 ms for each hundred.
   */
  static final int ENTRIES = 100;

  private static final int UNIT = 1000;
  private static final Pattern EXTENSION = Pattern.compile("[A-Za-z0-9]{1,8}");
  private static final Html PAGE = new Html(Assets.text("page.html"));
  private static final DateTimeFormatter MINUTES =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final Comparator<FileFacts> FOLDERS_FIRST =
      Comparator.comparing((FileFacts entry) -> !entry.directory())
          .thenComparing(FileFacts::name, String.CASE_INSENSITIVE_ORDER);

  private FolderPage() {}

  /**
   * Makes the page. A caller that may create files here and not list them gets one without a list.
   *
   * @param after the name of the last entry of the page before; null for the first page
   * @param user says who the caller is, in HTML
   * @param base the path below which the page is
   * @throws FerryException as {@link FileStore#list}
   */
  public static Page of(
      FileStore store, StorePath folder, @Nullable String after, String user, BasePath base)
      throws FerryException {
    List<FileFacts> entries;
    String note = "";
    try {
      entries = entries(store, folder, after);
      note = entries.isEmpty() ? "This folder is empty." : "";
    } catch (FerryException e) {
      if (e.kind() != ErrorKind.PERMISSION_DENIED || !store.allows(Permission.CREATE, folder)) {
        throw e;
      }
      entries = new ArrayList<>();
      note = "You may upload files here, but not list them.";
    }
    String next = "";
    if (entries.size() > ENTRIES) {
      entries = entries.subList(0, ENTRIES);
      String last = encoded(entries.get(ENTRIES - 1));
      next = "<p class=\"next\"><a href=\"?after=" + last + "\">Next page</a></p>";
    } else if (after == null) {
      entries.sort(FOLDERS_FIRST);
    }
    StringBuilder rows = new StringBuilder();
    entries.forEach(entry -> rows.append(row(entry)));
    String name = folder.equals(StorePath.ROOT) ? "Files" : Html.escaped(folder.name());
    return PAGE.page(
        base,
        Map.of(
            "title",
            name,
            "permissions",
            permissions(store, folder),
            "crumbs",
            crumbs(folder, base),
            "user",
            user,
            "rows",
            rows.toString(),
            "note",
            note,
            "next",
            next));
  }

  /**
   * Returns who the caller is, in HTML.
   *
   * @param name null if the server knows no callers
   * @param byPassword whether the browser has a password to forget
   */
  public static String user(@Nullable String name, boolean byPassword, BasePath base) {
    if (name == null) {
      return "";
    }
    String text = "<span class=\"vh\">Signed in as </span><bdi>" + Html.escaped(name) + "</bdi>";
    return byPassword
        ? "<form id=\"user\" method=\"post\" action=\""
            + Html.escaped(base.before(HttpRoutes.SIGN_OUT))
            + "\">"
            + text
            + "<button class=\"quiet\">Sign out</button></form>\n"
        : "<div id=\"user\">" + text + "</div>\n";
  }

  /** Returns what the caller of a store may do in a folder, for {@link HttpRoutes#PERMISSIONS}. */
  public static String permissions(FileStore store, StorePath folder) {
    return Stream.of(Permission.values())
        .filter(permission -> store.allows(permission, folder))
        .map(permission -> permission.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(" "));
  }

  /** Returns one entry more than a page has, if there are so many. */
  private static List<FileFacts> entries(FileStore store, StorePath folder, @Nullable String after)
      throws FerryException {
    byte[] last = after == null ? null : utf8(folder.child(after).value());
    List<FileFacts> entries = new ArrayList<>();
    try (Listing listing = store.list(folder)) {
      FileFacts entry = listing.next();
      while (entry != null && entries.size() <= ENTRIES) {
        if (last == null || Arrays.compareUnsigned(utf8(entry.name()), last) > 0) {
          entries.add(entry);
        }
        entry = listing.next();
      }
    }
    return entries;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String encoded(FileFacts entry) {
    String uri = HttpRoutes.uriPath(new StorePath(entry.name()));
    return uri.substring(uri.lastIndexOf('/') + 1);
  }

  private static String crumbs(StorePath folder, BasePath base) {
    StringBuilder crumbs = new StringBuilder();
    StorePath path = StorePath.ROOT;
    addCrumb(crumbs, base.before(HttpRoutes.FILES), "Files", folder.equals(StorePath.ROOT));
    for (String segment : folder.value().split("/", -1)) {
      if (!segment.isEmpty()) {
        path = path.child(segment);
        addCrumb(
            crumbs,
            base.before(HttpRoutes.uriPath(path)) + "/",
            Html.escaped(segment),
            path.equals(folder));
      }
    }
    return crumbs.toString();
  }

  private static void addCrumb(StringBuilder crumbs, String uri, String name, boolean last) {
    crumbs
        .append("<li><a href=\"")
        .append(Html.escaped(uri))
        .append(last ? "\" aria-current=\"page\"><bdi>" : "\"><bdi>")
        .append(name)
        .append("</bdi></a></li>");
  }

  /** Returns the row of an entry. Its link is relative to the folder. */
  static String row(FileFacts entry) {
    StringBuilder rows = new StringBuilder();
    String name = Html.escaped(new StorePath(entry.name()).name());
    String uri = Html.escaped(encoded(entry));
    boolean folder = entry.directory();
    rows.append("<tr role=\"row\"><td role=\"cell\" class=\"sel\">");
    if (entry.leftOut() == null) {
      rows.append("<input type=\"checkbox\" name=\"name\" value=\"")
          .append(uri)
          .append("\" aria-label=\"Select ")
          .append(name)
          .append("\"></td><td role=\"cell\" class=\"name\"><a href=\"")
          .append(uri)
          .append(folder ? "/\" class=\"folder\"><bdi>" : "\" class=\"file\"><bdi>")
          .append(name)
          .append("</bdi></a></td><td role=\"cell\" class=\"size\">")
          .append(folder ? "" : size(entry.size()));
    } else {
      rows.append("</td><td role=\"cell\" class=\"name\"><span class=\"file\" title=\"")
          .append(Html.escaped(entry.leftOut().reason()))
          .append("\"><bdi>")
          .append(name)
          .append("</bdi></span></td><td role=\"cell\" class=\"size\">");
    }
    return rows.append("</td><td role=\"cell\" class=\"time\">")
        .append(time(entry.lastModified()))
        .append("</td><td role=\"cell\" class=\"kind\">")
        .append(entry.leftOut() == null ? kind(entry) : "left out")
        .append("</td><td role=\"cell\" class=\"more\"></td></tr>\n")
        .toString();
  }

  private static String time(Instant time) {
    return time.equals(FileFacts.UNKNOWN_TIME)
        ? ""
        : "<time datetime=\"" + time + "\">" + MINUTES.format(time) + "</time>";
  }

  private static String kind(FileFacts entry) {
    if (entry.directory()) {
      return "Folder";
    }
    String name = new StorePath(entry.name()).name();
    int dot = name.lastIndexOf('.');
    String extension = name.substring(dot + 1);
    return dot > 0 && EXTENSION.matcher(extension).matches()
        ? extension.toUpperCase(Locale.ROOT)
        : "File";
  }

  private static String size(long bytes) {
    if (bytes < UNIT) {
      return bytes + " B";
    }
    double value = bytes;
    int unit = -1;
    while (value >= UNIT - 0.5) {
      value /= UNIT;
      unit++;
    }
    return String.format(
        Locale.ROOT, value < 10 ? "%.1f %sB" : "%.0f %sB", value, "kMGTPE".charAt(unit));
  }
}
