package dev.ferry.http.internal.server;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.http.internal.server.WebDavLocks.Lock;
import dev.ferry.wire.internal.contract.BasePath;
import io.netty.handler.codec.DateFormatter;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * A property that the server keeps of files and directories, by its name in WebDAV (RFC 4918, 15;
 * RFC 4331). It keeps no others.
 */
enum LiveProperty {
  RESOURCETYPE("resourcetype"),
  DISPLAYNAME("displayname"),
  GETCONTENTLENGTH("getcontentlength"),
  GETLASTMODIFIED("getlastmodified"),
  GETETAG("getetag"),
  SUPPORTEDLOCK("supportedlock"),
  LOCKDISCOVERY("lockdiscovery"),
  QUOTA_AVAILABLE_BYTES("quota-available-bytes"),
  QUOTA_USED_BYTES("quota-used-bytes");

  /** What a client gets that asks for all: quotas are asked for by their names (RFC 4331, 2). */
  static final List<QName> ALL =
      EnumSet.range(RESOURCETYPE, LOCKDISCOVERY).stream().map(p -> p.qName).toList();

  /** The namespace of the properties of Explorer. */
  private static final Pattern SECONDS = Pattern.compile("-?[0-9]{1,12}");

  private static final String WIN32 = "urn:schemas-microsoft-com:";

  /** The names by which clients set the modification time. */
  private static final Set<QName> TIMES =
      Set.of(
          new QName(WebDavXml.DAV, "lastmodified"),
          new QName(WebDavXml.DAV, "getlastmodified"),
          new QName(WIN32, "Win32LastModifiedTime"));

  /** What Explorer sets with the modification time, or not at all. It is not kept. */
  private static final Set<QName> TAKEN =
      Set.of(
          new QName(WIN32, "Win32CreationTime"),
          new QName(WIN32, "Win32LastAccessTime"),
          new QName(WIN32, "Win32FileAttributes"));

  private final QName qName;

  LiveProperty(String name) {
    this.qName = new QName(WebDavXml.DAV, name);
  }

  /** Returns the property of a name; null if there is none. */
  static @Nullable LiveProperty of(QName name) {
    for (LiveProperty property : values()) {
      if (property.qName.equals(name)) {
        return property;
      }
    }
    return null;
  }

  /** Returns whether a name is one by which the modification time is set. */
  static boolean isTime(QName name) {
    return TIMES.contains(name);
  }

  /** Returns whether a property may be set, without effect. */
  static boolean isTaken(QName name) {
    return TAKEN.contains(name);
  }

  /** Returns a time in seconds since 1970, or as a date of HTTP; null if it is neither. */
  static @Nullable Instant time(String text) {
    try {
      if (SECONDS.matcher(text).matches()) {
        return Instant.ofEpochSecond(Long.parseLong(text));
      }
    } catch (DateTimeException e) {
      return null;
    }
    Date date = text.length() > 40 ? null : DateFormatter.parseHttpDate(text);
    return date == null ? null : date.toInstant();
  }

  /**
   * Returns the value as XML; null if the file or directory has no such property.
   *
   * @param facts those of an entry of a list may have no version
   * @param base the path below which clients know the server
   */
  @Nullable String value(FileFacts facts, FileStore store, WebDavLocks locks, BasePath base)
      throws FerryException {
    StorePath path = new StorePath(facts.name());
    return switch (this) {
      case RESOURCETYPE -> facts.directory() ? "<D:collection/>" : "";
      case DISPLAYNAME -> new MultiStatus().text(path.name()).toString();
      case GETCONTENTLENGTH -> facts.directory() ? null : String.valueOf(facts.size());
      case GETLASTMODIFIED -> Responses.date(facts);
      case GETETAG -> tag(facts, path, store);
      case SUPPORTEDLOCK -> supported("exclusive") + supported("shared");
      case LOCKDISCOVERY ->
          locks.covering(path).stream()
              .map(lock -> active(lock, base))
              .collect(Collectors.joining());
      case QUOTA_AVAILABLE_BYTES, QUOTA_USED_BYTES -> {
        FileStore.Space space = facts.directory() ? store.space(path) : null;
        yield space == null
            ? null
            : String.valueOf(this == QUOTA_USED_BYTES ? space.used() : space.usable());
      }
    };
  }

  /** A list of a local store has no versions, and to look each of them up is cheap there. */
  private static @Nullable String tag(FileFacts facts, StorePath path, FileStore store) {
    if (!facts.isFile()) {
      return null;
    }
    FileFacts known = facts;
    if (facts.version() == null && !store.isRemote()) {
      try {
        known = store.stat(path, false);
      } catch (FerryException e) {
        // It was deleted since it was listed.
        return null;
      }
    }
    String tag = Conditions.entityTag(known, false);
    return tag == null ? null : new MultiStatus().text(tag).toString();
  }

  private static String supported(String scope) {
    return "<D:lockentry><D:lockscope><D:"
        + scope
        + "/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockentry>";
  }

  /** Returns a lock as XML. */
  static String active(Lock lock, BasePath base) {
    return "<D:activelock><D:lockscope><D:"
        + (lock.exclusive() ? "exclusive" : "shared")
        + "/></D:lockscope><D:locktype><D:write/></D:locktype><D:depth>"
        + (lock.deep() ? "infinity" : "0")
        + "</D:depth>"
        + (lock.owner().isEmpty() ? "" : "<D:owner>" + lock.owner() + "</D:owner>")
        + "<D:timeout>Second-"
        + lock.seconds()
        + "</D:timeout><D:locktoken><D:href>"
        + lock.token()
        + "</D:href></D:locktoken><D:lockroot>"
        + new MultiStatus().href(base, lock.path(), false)
        + "</D:lockroot></D:activelock>";
  }
}
