package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.wire.internal.AccessRules;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The field {@code If} of WebDAV (RFC 4918, 10.4): the tokens of locks that a client has, and
 * conditions.
 *
 * @param lists one of them has to be true; empty for no condition
 */
record IfHeader(List<Conditioned> lists) {
  static final String IF = "If";

  /** Conditions at most, since each may ask a store that is elsewhere. Clients have a few. */
  private static final int MAX_CONDITIONS = 64;

  static final IfHeader NONE = new IfHeader(List.of());

  private static final Pattern PART =
      Pattern.compile(
          "\\s*(?:(?<open>\\()|(?<close>\\))|(?<not>Not\\b)|<(?<uri>[^<>]*)>"
              + "|\\[(?<tag>(?:W/)?\"[^\"]*\")])\\s*",
          Pattern.CASE_INSENSITIVE);

  /**
   * Conditions of a resource, which all have to be true.
   *
   * @param path null for a resource that this server does not have
   */
  record Conditioned(@Nullable StorePath path, List<Condition> conditions) {}

  /**
   * A condition.
   *
   * @param not whether it has to be false
   * @param token that of a lock; null if it is about an entity tag
   * @param tag an entity tag; null if it is about a token
   */
  record Condition(boolean not, @Nullable String token, @Nullable String tag) {}

  /**
   * Parses the field, if it is there.
   *
   * @param path that of the request
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it is malformed
   */
  static IfHeader parse(HttpHeaders fields, StorePath path, AccessRules rules)
      throws FerryException {
    if (!fields.contains(IF)) {
      return NONE;
    }
    List<Conditioned> lists = new ArrayList<>();
    List<Condition> conditions = null;
    StorePath about = path;
    boolean not = false;
    int count = 0;
    Matcher part = PART.matcher(String.join(" ", fields.getAll(IF)));
    int at = 0;
    for (; at < part.regionEnd(); at = part.end()) {
      part.region(at, part.regionEnd());
      if (!part.lookingAt()) {
        throw malformed();
      }
      if (conditions == null) {
        if (part.group("open") != null) {
          conditions = new ArrayList<>();
        } else if (part.group("uri") != null) {
          about = resource(part.group("uri"), fields, rules);
        } else {
          throw malformed();
        }
      } else if (part.group("not") != null && !not) {
        not = true;
      } else if (part.group("uri") != null || part.group("tag") != null) {
        if (++count > MAX_CONDITIONS) {
          throw new FerryException(
              ErrorKind.INVALID_REQUEST,
              IF
                  + ": has more than "
                  + MAX_CONDITIONS
                  + " conditions; send only the tokens of this request");
        }
        conditions.add(new Condition(not, part.group("uri"), part.group("tag")));
        not = false;
      } else if (part.group("close") != null && !not && !conditions.isEmpty()) {
        lists.add(new Conditioned(about, conditions));
        conditions = null;
      } else {
        throw malformed();
      }
    }
    if (conditions != null || lists.isEmpty()) {
      throw malformed();
    }
    return new IfHeader(lists);
  }

  private static @Nullable StorePath resource(String uri, HttpHeaders fields, AccessRules rules) {
    try {
      return FileRequest.pathOf(uri, fields, rules, IF);
    } catch (FerryException e) {
      // A resource of another server has no lock and no entity tag here.
      return null;
    }
  }

  private static FerryException malformed() {
    return new FerryException(
        ErrorKind.INVALID_REQUEST, IF + ": is not of the form (<token> [\"tag\"]) of RFC 4918");
  }

  /** Returns whether the client has a token, whatever the condition with it says. */
  boolean has(String token) {
    return lists.stream()
        .flatMap(list -> list.conditions().stream())
        .anyMatch(condition -> token.equals(condition.token()));
  }

  /**
   * Evaluates the conditions.
   *
   * @param store what the caller may see
   * @throws FerryException with {@link ErrorKind#VERSION_MISMATCH} if they are false
   */
  void require(FileStore store, WebDavLocks locks) throws FerryException {
    boolean met = lists.isEmpty();
    for (int i = 0; i < lists.size() && !met; i++) {
      met = met(lists.get(i), store, locks);
    }
    if (!met) {
      throw new FerryException(
          ErrorKind.VERSION_MISMATCH,
          IF + ": no list of it is true now; request the file again, or lock it again");
    }
  }

  private static boolean met(Conditioned list, FileStore store, WebDavLocks locks)
      throws FerryException {
    StorePath path = list.path();
    for (Condition condition : list.conditions()) {
      String token = condition.token();
      boolean is =
          path != null
              && (token == null
                  ? hasTag(path, condition.tag(), store)
                  : locks.covering(path).stream().anyMatch(lock -> lock.token().equals(token)));
      if (is == condition.not()) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasTag(StorePath path, @Nullable String tag, FileStore store)
      throws FerryException {
    if (tag == null || !store.exists(path)) {
      return false;
    }
    FileFacts facts = store.stat(path, false);
    return tag.equals(Conditions.entityTag(facts, false))
        || tag.equals(Conditions.entityTag(facts, true));
  }
}
