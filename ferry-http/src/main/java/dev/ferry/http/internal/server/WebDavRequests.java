package dev.ferry.http.internal.server;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.StoreRule.Permission;
import dev.ferry.http.internal.server.PropertyBody.Wanted;
import dev.ferry.http.internal.server.WebDavLocks.Lock;
import dev.ferry.wire.internal.RunningRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * The requests that only WebDAV has (RFC 4918): {@code PROPFIND}, {@code PROPPATCH}, {@code LOCK}
 * and {@code UNLOCK}, and {@code OPTIONS}. Those that change names are {@link WebDavChanges}.
 */
final class WebDavRequests {
  private static final int MAX_OWNER = 1024;
  private static final String LOCK_TOKEN = "Lock-Token";
  private static final String DEPTH = "Depth";
  private static final Pattern TIMEOUT = Pattern.compile("(?i)Second-([0-9]{1,10})");
  private static final Pattern TOKEN = Pattern.compile("\\s*<([^<>]+)>\\s*");

  private WebDavRequests() {}

  /** Responds with the methods of a resource. */
  static void options(Exchange exchange) {
    FullHttpResponse response = Responses.without(HttpResponseStatus.OK);
    if (!exchange.request().isAboutUpload()) {
      // Explorer wants the last one.
      response.headers().set("DAV", "1, 2").set("MS-Author-Via", "DAV");
    }
    exchange.respondEarly(Responses.allowing(response, exchange.request()));
  }

  /** Returns the value of {@code Depth}. */
  static String depth(FileRequest request, String ifAbsent) {
    return request.headers().get(DEPTH, ifAbsent).strip();
  }

  /** Receives a body, which is small. */
  private static void withBody(Exchange exchange, Consumer<byte[]> then) {
    HttpRequest http = exchange.http();
    if (HttpUtil.getContentLength(http, 0L) > WebDavXml.MAX_BYTES) {
      exchange.refuse(tooLarge());
      return;
    }
    if (http.headers().contains(HttpHeaderNames.CONTENT_ENCODING)
        && !http.headers().get(HttpHeaderNames.CONTENT_ENCODING, "").equals("identity")) {
      FullHttpResponse refusal =
          Responses.problem(
              ErrorKind.INVALID_REQUEST, 415, "Content-Encoding: send the XML without it");
      refusal.headers().set(HttpHeaderNames.ACCEPT_ENCODING, HttpHeaderValues.IDENTITY);
      exchange.respondEarly(refusal);
      return;
    }
    exchange.receive(
        new SmallBody(
            exchange,
            WebDavXml.MAX_BYTES,
            WebDavRequests::tooLarge,
            (same, body, trailers) -> then.accept(SmallBody.bytes(body))));
  }

  private static FerryException tooLarge() {
    return new FerryException(
        ErrorKind.TOO_LARGE, "the XML of a request has at most " + WebDavXml.MAX_BYTES + " bytes");
  }

  private static FerryException invalid(String why) {
    return new FerryException(ErrorKind.INVALID_REQUEST, why);
  }

  /** Responds with properties. */
  static void find(Exchange exchange) {
    withBody(exchange, body -> find(exchange, body));
  }

  private static void find(Exchange exchange, byte[] body) {
    String depth = depth(exchange.request(), "infinity");
    if (depth.equalsIgnoreCase("infinity")) {
      exchange.respondEarly(
          MultiStatus.document("error")
              .xml("<D:propfind-finite-depth/></D:error>")
              .response(HttpResponseStatus.FORBIDDEN.code()));
      return;
    }
    exchange.offload(
        () -> properties(exchange, body, depth),
        found ->
            exchange.sendMade(
                MultiStatus.head(exchange.request().chunked()),
                found,
                PageRequests.LIST_BYTES,
                false),
        PropertyBody::close);
  }

  private static PropertyBody properties(Exchange exchange, byte[] body, String depth)
      throws FerryException {
    Wanted wanted = Wanted.of(WebDavXml.parse(body));
    if (wanted == null || !(depth.equals("0") || depth.equals("1"))) {
      throw invalid(
          wanted == null
              ? "the body is not a propfind with prop, allprop or propname of DAV:"
              : DEPTH + ": '" + depth + "' is not 0 or 1");
    }
    FileStore store = exchange.store();
    StorePath path = exchange.path();
    FileFacts facts = store.stat(path, false);
    boolean lists = depth.equals("1") && facts.directory();
    WebDavLocks locks = exchange.port().locks();
    return new PropertyBody(
        store, locks, exchange.base(), wanted, facts, lists ? store.list(path) : null);
  }

  /** What becomes of a property that is to be set or removed; null if it is done. */
  private record Outcome(QName name, @Nullable String refusal) {}

  /** Sets properties, if all of them can be set. */
  static void patch(Exchange exchange) {
    withBody(exchange, body -> exchange.answer(() -> patch(exchange, body)));
  }

  private static FullHttpResponse patch(Exchange exchange, byte[] body) throws FerryException {
    FileStore store = exchange.store();
    StorePath path = exchange.path();
    WebDavXml update = WebDavXml.parse(body);
    if (update == null || !update.is("propertyupdate")) {
      throw invalid("the body is not a propertyupdate of DAV:");
    }
    LockedStore.requireChangeable(store, path);
    FileFacts facts = store.stat(path, false);
    List<Outcome> outcomes = new ArrayList<>();
    Instant time = null;
    for (WebDavXml change : update.elements()) {
      WebDavXml names = change.first("prop");
      boolean sets = change.is("set");
      for (WebDavXml property : names == null ? List.<WebDavXml>of() : names.elements()) {
        Instant given =
            sets && LiveProperty.isTime(property.name())
                ? LiveProperty.time(property.text())
                : null;
        time = given == null ? time : given;
        outcomes.add(new Outcome(property.name(), refusal(property.name(), sets, given)));
      }
    }
    boolean refused = outcomes.stream().anyMatch(outcome -> outcome.refusal() != null);
    if (time != null && !refused) {
      String kept = setTime(store, path, time);
      refused = kept != null;
      outcomes.replaceAll(
          outcome ->
              LiveProperty.isTime(outcome.name()) ? new Outcome(outcome.name(), kept) : outcome);
    }
    MultiStatus xml =
        new MultiStatus()
            .begin()
            .xml("<D:response>")
            .href(exchange.base(), path, facts.directory());
    for (Outcome outcome : outcomes) {
      int status = outcome.refusal() != null ? 403 : refused ? 424 : 200;
      xml.propstat(new MultiStatus().element(outcome.name(), ""), status, outcome.refusal());
    }
    return xml.xml("</D:response>").end().response(HttpResponseStatus.MULTI_STATUS.code());
  }

  /** Returns why the store does not keep the time; null if it does. */
  private static @Nullable String setTime(FileStore store, StorePath path, Instant time)
      throws FerryException {
    try {
      store.setLastModified(path, time);
      return null;
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.INVALID_REQUEST) {
        return e.getMessage();
      }
      throw e;
    }
  }

  private static @Nullable String refusal(QName name, boolean sets, @Nullable Instant time) {
    if (LiveProperty.isTime(name)) {
      return time != null ? null : "give a date of HTTP, or seconds since 1970";
    }
    if (LiveProperty.of(name) != null) {
      return "the server sets this property itself";
    }
    return !sets || LiveProperty.isTaken(name)
        ? null
        : "the server keeps no properties of clients but the modification time";
  }

  /** Locks a file or directory, or makes a lock last longer. */
  static void lock(Exchange exchange) {
    withBody(exchange, body -> exchange.answer(() -> lock(exchange, body)));
  }

  private static FullHttpResponse lock(Exchange exchange, byte[] body) throws FerryException {
    StorePath path = exchange.path();
    FileRequest request = exchange.request();
    RunningRequest running = exchange.running();
    WebDavLocks locks = exchange.port().locks();
    String caller = LockedStore.caller(running);
    WebDavXml info = WebDavXml.parse(body);
    int seconds = seconds(request);
    if (info == null) {
      IfHeader condition = IfHeader.parse(request.headers(), path, exchange.rules());
      Lock refreshed = locks.refresh(path, condition::has, caller, seconds);
      if (refreshed == null) {
        throw new FerryException(
            ErrorKind.VERSION_MISMATCH, path + ": has no lock of this token; lock it again");
      }
      return locked(exchange, refreshed, HttpResponseStatus.OK);
    }
    WebDavXml scope = info.first("lockscope");
    WebDavXml type = info.first("locktype");
    boolean exclusive = scope != null && scope.first("exclusive") != null;
    boolean shared = scope != null && scope.first("shared") != null;
    if (!info.is("lockinfo")
        || exclusive == shared
        || type == null
        || type.first("write") == null) {
      throw invalid("the body is not a lockinfo with one lockscope and the locktype write");
    }
    boolean deep = request.isDeep();
    String owner = owner(info.first("owner"));
    boolean made = makeUnlessThere(exchange.store(), path);
    Lock lock = locks.add(path, exclusive, deep, owner, caller, running.holder(), seconds);
    FullHttpResponse response =
        locked(exchange, lock, made ? HttpResponseStatus.CREATED : HttpResponseStatus.OK);
    response.headers().set(LOCK_TOKEN, "<" + lock.token() + ">");
    return response;
  }

  /**
   * Checks that the caller may write to what it locks, as for an upload that is discarded, and
   * makes an empty file if there is none (RFC 4918, 7.3).
   */
  private static boolean makeUnlessThere(FileStore store, StorePath path) throws FerryException {
    boolean exists = store.exists(path);
    if (exists && (path.equals(StorePath.ROOT) || store.stat(path, false).directory())) {
      // Who may only make files in it must not keep others out.
      if (!store.allows(Permission.WRITE, path)) {
        throw new FerryException(
            ErrorKind.PERMISSION_DENIED, path + ": a lock needs the permission to write");
      }
      return false;
    }
    // As for an existing file: who may only make files must not keep others from writing them.
    if (store.allows(Permission.CREATE, path) && !store.allows(Permission.WRITE, path)) {
      throw new FerryException(
          ErrorKind.PERMISSION_DENIED, path + ": a lock needs the permission to write");
    }
    FileStore changed = exists ? LockedStore.unlocked(store) : store;
    try (FileSink sink = changed.create(path, CreateOptions.DEFAULT.withCreateOnly(!exists))) {
      if (!exists) {
        FileFacts unused = sink.commit(0, null);
      }
    }
    return !exists;
  }

  private static String owner(@Nullable WebDavXml owner) throws FerryException {
    if (owner == null) {
      return "";
    }
    WebDavXml href = owner.first("href");
    if ((href == null ? owner : href).text().length() > MAX_OWNER) {
      // It is kept as long as the lock.
      throw invalid("owner: has more than " + MAX_OWNER + " characters");
    }
    return href == null
        ? new MultiStatus().text(owner.text()).toString()
        : new MultiStatus().xml("<D:href>").text(href.text()).xml("</D:href>").toString();
  }

  /** Returns how long a lock is to last: what the client asks for first, up to the maximum. */
  private static int seconds(FileRequest request) {
    String first = request.headers().get("Timeout", "").split(",", 2)[0].strip();
    Matcher number = TIMEOUT.matcher(first);
    long wanted = number.matches() ? Long.parseLong(number.group(1)) : WebDavLocks.MAX_SECONDS;
    return (int) Math.max(1, Math.min(wanted, WebDavLocks.MAX_SECONDS));
  }

  private static FullHttpResponse locked(Exchange exchange, Lock lock, HttpResponseStatus status) {
    return MultiStatus.document("prop")
        .xml("<D:lockdiscovery>")
        .xml(LiveProperty.active(lock, exchange.base()))
        .xml("</D:lockdiscovery></D:prop>")
        .response(status.code());
  }

  /** Ends a lock of the caller; or of anybody, for who may do all there. */
  static void unlock(Exchange exchange) {
    exchange.answer(() -> unlocked(exchange));
  }

  private static FullHttpResponse unlocked(Exchange exchange) throws FerryException {
    FileStore store = exchange.store();
    StorePath path = exchange.path();
    WebDavLocks locks = exchange.port().locks();
    String caller = LockedStore.caller(exchange.running());
    Matcher token = TOKEN.matcher(exchange.request().headers().get(LOCK_TOKEN, ""));
    if (!token.matches()) {
      throw invalid(LOCK_TOKEN + ": give the token of the lock, as <urn:uuid:...>");
    }
    for (Lock lock : locks.covering(path)) {
      if (lock.token().equals(token.group(1))
          && (lock.caller().equals(caller) || store.allows(Permission.ALL, lock.path()))) {
        locks.remove(lock);
        return Responses.empty(HttpResponseStatus.NO_CONTENT);
      }
    }
    return Responses.problem(ErrorKind.INVALID_REQUEST, 409, path + ": has no lock of this token");
  }
}
