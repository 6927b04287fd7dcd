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
import dev.ferry.wire.ServedRequest.Operation;
import dev.ferry.wire.internal.RunningRequest;
import dev.ferry.wire.internal.contract.BasePath;
import dev.ferry.wire.internal.contract.HttpRoutes;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a connection that only WebDAV has (RFC 4918): {@code PROPFIND}, {@code
 * PROPPATCH}, {@code LOCK} and {@code UNLOCK}, and {@code OPTIONS}. Those that change names are
 * {@link WebDavChanges}.
 */
record WebDavRequests(FilesHandler handler, WebDavLocks locks) {
  private static final Set<String> METHODS =
      Set.of("OPTIONS", "PROPFIND", "PROPPATCH", "LOCK", "UNLOCK");

  /** The methods of requests that only read files. */
  private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD);

  private static final int MAX_OWNER = 1024;
  private static final String LOCK_TOKEN = "Lock-Token";
  private static final String DEPTH = "Depth";
  private static final Pattern TIMEOUT = Pattern.compile("(?i)Second-([0-9]{1,10})");
  private static final Pattern TOKEN = Pattern.compile("\\s*<([^<>]+)>\\s*");

  /** Returns whether a request is one of those that only WebDAV has. */
  static boolean handles(HttpRequest http) {
    return METHODS.contains(http.method().name());
  }

  /** Returns what a request that {@link #handles} is for. */
  static Operation operation(HttpRequest http) {
    return !http.method().name().equals("PROPFIND")
        ? Operation.OTHER
        : http.headers().get(DEPTH, "").strip().equals("0") ? Operation.STAT : Operation.LIST;
  }

  /** Returns the store of a request, which knows the locks. */
  FileStore locking(FileStore store, HttpMethod method, FileRequest request) throws FerryException {
    if (!request.headers().contains(IfHeader.IF)) {
      return reads(method)
          ? store
          : new LockedStore(store, locks, IfHeader.NONE, caller(handler.running()));
    }
    boolean named = request.rawPath().startsWith(HttpRoutes.FILES);
    StorePath path = named ? request.fileOrDirectory() : StorePath.ROOT;
    IfHeader condition = IfHeader.parse(request.headers(), path, handler.rules());
    return new LockedStore(store, locks, condition, caller(handler.running()));
  }

  /** Whether a request only reads files: it asks for no lock. */
  static boolean reads(HttpMethod method) {
    return READING.contains(method);
  }

  private BasePath base() {
    return handler.rules().basePath();
  }

  private static String caller(RunningRequest request) {
    String name = request.caller();
    return name == null ? "" : name;
  }

  /** Handles a request that {@link #handles}. */
  void handle(ChannelHandlerContext context, FileStore store, HttpRequest http, FileRequest request)
      throws FerryException {
    String method = http.method().name();
    if (method.equals("OPTIONS")) {
      handler.refuse(context, options(request));
      return;
    }
    StorePath path = request.fileOrDirectory();
    // Of this request: workers may still do its work when the client has gone.
    RunningRequest running = handler.running();
    running.path(path.value());
    switch (method) {
      case "PROPFIND" -> withBody(context, http, body -> find(context, store, path, request, body));
      case "PROPPATCH" ->
          withBody(context, http, body -> handler.answer(context, () -> patch(store, path, body)));
      case "LOCK" ->
          withBody(
              context,
              http,
              body -> handler.answer(context, () -> lock(store, path, body, request, running)));
      default -> handler.answer(context, () -> unlock(store, path, request, running));
    }
  }

  private static FullHttpResponse options(FileRequest request) {
    FullHttpResponse response = Responses.without(HttpResponseStatus.OK);
    if (UploadRequests.isAboutUpload(request)) {
      return UploadResponses.allowing(response);
    }
    // Explorer wants the last one.
    response.headers().set("DAV", "1, 2").set("MS-Author-Via", "DAV");
    return Responses.allowing(response, request);
  }

  /** Receives a body, which is small. */
  private void withBody(ChannelHandlerContext context, HttpRequest http, Consumer<byte[]> then) {
    if (HttpUtil.getContentLength(http, 0L) > WebDavXml.MAX_BYTES) {
      handler.refuse(context, tooLarge());
      return;
    }
    if (http.headers().contains(HttpHeaderNames.CONTENT_ENCODING)
        && !http.headers().get(HttpHeaderNames.CONTENT_ENCODING, "").equals("identity")) {
      FullHttpResponse refusal =
          Responses.problem(
              ErrorKind.INVALID_REQUEST, 415, "Content-Encoding: send the XML without it");
      refusal.headers().set(HttpHeaderNames.ACCEPT_ENCODING, HttpHeaderValues.IDENTITY);
      handler.refuse(context, refusal);
      return;
    }
    handler.receiveBody(
        context,
        http,
        new SmallBody(handler, context, WebDavXml.MAX_BYTES, WebDavRequests::tooLarge, then));
  }

  private static FerryException tooLarge() {
    return new FerryException(
        ErrorKind.TOO_LARGE, "the XML of a request has at most " + WebDavXml.MAX_BYTES + " bytes");
  }

  private static FerryException invalid(String why) {
    return new FerryException(ErrorKind.INVALID_REQUEST, why);
  }

  private void find(
      ChannelHandlerContext context,
      FileStore store,
      StorePath path,
      FileRequest request,
      byte[] body) {
    String depth = request.headers().get(DEPTH, "infinity").strip();
    if (depth.equalsIgnoreCase("infinity")) {
      handler.refuse(
          context,
          MultiStatus.document("error")
              .xml("<D:propfind-finite-depth/></D:error>")
              .response(HttpResponseStatus.FORBIDDEN.code()));
      return;
    }
    handler.offload(
        context,
        () -> properties(store, path, body, depth),
        found -> handler.sendMade(context, MultiStatus.head(request.chunked()), found),
        PropertyBody::close);
  }

  private PropertyBody properties(FileStore store, StorePath path, byte[] body, String depth)
      throws FerryException {
    Wanted wanted = Wanted.of(WebDavXml.parse(body));
    if (wanted == null || !(depth.equals("0") || depth.equals("1"))) {
      throw invalid(
          wanted == null
              ? "the body is not a propfind with prop, allprop or propname of DAV:"
              : DEPTH + ": '" + depth + "' is not 0 or 1");
    }
    FileFacts facts = store.stat(path, false);
    boolean lists = depth.equals("1") && facts.directory();
    return new PropertyBody(store, locks, base(), wanted, facts, lists ? store.list(path) : null);
  }

  /** What becomes of a property that is to be set or removed; null if it is done. */
  private record Outcome(QName name, @Nullable String refusal) {}

  private FullHttpResponse patch(FileStore store, StorePath path, byte[] body)
      throws FerryException {
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
        new MultiStatus().begin().xml("<D:response>").href(base(), path, facts.directory());
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

  private FullHttpResponse lock(
      FileStore store, StorePath path, byte[] body, FileRequest request, RunningRequest running)
      throws FerryException {
    WebDavXml info = WebDavXml.parse(body);
    int seconds = seconds(request);
    if (info == null) {
      IfHeader condition = IfHeader.parse(request.headers(), path, handler.rules());
      Lock refreshed = locks.refresh(path, condition::has, caller(running), seconds);
      if (refreshed == null) {
        throw new FerryException(
            ErrorKind.VERSION_MISMATCH, path + ": has no lock of this token; lock it again");
      }
      return locked(refreshed, HttpResponseStatus.OK);
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
    boolean made = makeUnlessThere(store, path);
    Lock lock = locks.add(path, exclusive, deep, owner, caller(running), running.holder(), seconds);
    FullHttpResponse response =
        locked(lock, made ? HttpResponseStatus.CREATED : HttpResponseStatus.OK);
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

  private FullHttpResponse locked(Lock lock, HttpResponseStatus status) {
    return MultiStatus.document("prop")
        .xml("<D:lockdiscovery>")
        .xml(LiveProperty.active(lock, base()))
        .xml("</D:lockdiscovery></D:prop>")
        .response(status.code());
  }

  /** Ends a lock of the caller; or of anybody, for who may do all there. */
  private FullHttpResponse unlock(
      FileStore store, StorePath path, FileRequest request, RunningRequest running)
      throws FerryException {
    Matcher token = TOKEN.matcher(request.headers().get(LOCK_TOKEN, ""));
    if (!token.matches()) {
      throw invalid(LOCK_TOKEN + ": give the token of the lock, as <urn:uuid:...>");
    }
    for (Lock lock : locks.covering(path)) {
      if (lock.token().equals(token.group(1))
          && (lock.caller().equals(caller(running)) || store.allows(Permission.ALL, lock.path()))) {
        locks.remove(lock);
        return Responses.empty(HttpResponseStatus.NO_CONTENT);
      }
    }
    return Responses.problem(ErrorKind.INVALID_REQUEST, 409, path + ": has no lock of this token");
  }
}
