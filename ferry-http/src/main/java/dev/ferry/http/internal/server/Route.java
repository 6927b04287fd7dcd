package dev.ferry.http.internal.server;

import dev.ferry.core.FerryException;
import dev.ferry.wire.ServedRequest.Operation;
import dev.ferry.wire.internal.contract.HttpRoutes;
import io.netty.handler.codec.http.HttpMethod;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What requests there are: a method of a resource, and for some what else the request has. Of
 * several that match, the first counts. What handles a request, what it is reported as, and the
 * methods in {@code Allow} and in the responses to preflights come from here.
 */
enum Route {
  OPTIONS("OPTIONS", Operation.OTHER, WebDavRequests::options, Resource.UPLOADS_AND_FILES),

  GET_HEALTH("GET", Operation.OTHER, PageRequests::health, Resource.HEALTH),
  GET_PAGE("GET", Operation.OTHER, PageRequests::open, Resource.PAGE),
  GET_ZIP(
      "GET",
      "the query is `zip`",
      exchange -> PageRequests.isZip(exchange.request()),
      Operation.DOWNLOAD,
      PageRequests::zip,
      Resource.FOLDER),
  GET_FOLDER_PAGE(
      "GET",
      "`Accept` prefers HTML to JSON",
      exchange -> PageRequests.wantsHtml(exchange.request().headers()),
      Operation.LIST,
      PageRequests::folder,
      Resource.FOLDER),
  GET_LIST("GET", Operation.LIST, PageRequests::list, Resource.FOLDER),
  GET("GET", Operation.DOWNLOAD, FileDownloads::get, Resource.FILE),

  HEAD_HEALTH("HEAD", Operation.OTHER, PageRequests::health, Resource.HEALTH),
  HEAD_PAGE("HEAD", Operation.STAT, PageRequests::open, Resource.PAGE),
  HEAD_UPLOAD("HEAD", Operation.UPLOAD_STATUS, UploadRequests::status, Resource.UPLOAD),
  HEAD("HEAD", Operation.STAT, FileDownloads::head, Resource.FILES),

  PUT_LINK(
      "PUT",
      "the request has `" + HttpRoutes.LINK + "`",
      exchange -> exchange.request().headers().contains(HttpRoutes.LINK),
      Operation.MAKE_LINK,
      WebDavChanges::makeLink,
      Resource.FILES),
  PUT("PUT", Operation.UPLOAD, UploadRequests::begin, Resource.FILE),
  PUT_FOLDER(
      "PUT",
      "always refused: a file's path does not end with a slash",
      exchange -> true,
      Operation.UPLOAD,
      UploadRequests::begin,
      Resource.FOLDER),

  POST_UPLOAD(
      "POST",
      "the request has `" + HttpRoutes.UPLOAD_COMPLETE + "`",
      exchange -> new UploadFields(exchange.request().headers()).begins(),
      Operation.UPLOAD,
      UploadRequests::begin,
      Resource.FILES),
  POST_FORM(
      "POST",
      "the body is `multipart/form-data`",
      exchange -> PageRequests.isForm(exchange.request().headers()),
      Operation.UPLOAD,
      UploadRequests::form,
      Resource.FOLDER),
  POST_ZIP(
      "POST",
      "the query is `zip`",
      exchange -> PageRequests.isZip(exchange.request()),
      Operation.DOWNLOAD,
      PageRequests::zipOfSelection,
      Resource.FOLDER),
  POST_SIGN_OUT("POST", Operation.OTHER, SignIn::signOut, Resource.SIGN_OUT),

  PATCH_UPLOAD("PATCH", Operation.UPLOAD, UploadRequests::append, Resource.UPLOAD),

  DELETE_UPLOAD("DELETE", Operation.CANCEL_UPLOAD, UploadRequests::cancel, Resource.UPLOAD),
  DELETE("DELETE", Operation.DELETE, WebDavChanges::delete, Resource.FILES),

  MKCOL("MKCOL", Operation.MAKE_DIRECTORY, WebDavChanges::makeDirectory, Resource.FILES),
  COPY("COPY", Operation.COPY, WebDavChanges::copy, Resource.FILES),
  MOVE("MOVE", Operation.MOVE, WebDavChanges::move, Resource.FILES),

  PROPFIND_ALONE(
      "PROPFIND",
      "`Depth` is 0",
      exchange -> WebDavRequests.depth(exchange.request(), "").equals("0"),
      Operation.STAT,
      WebDavRequests::find,
      Resource.FILES),
  PROPFIND("PROPFIND", Operation.LIST, WebDavRequests::find, Resource.FILES),
  PROPPATCH("PROPPATCH", Operation.OTHER, WebDavRequests::patch, Resource.FILES),
  LOCK("LOCK", Operation.OTHER, WebDavRequests::lock, Resource.FILES),
  UNLOCK("UNLOCK", Operation.OTHER, WebDavRequests::unlock, Resource.FILES);

  /** What the path of a request names. */
  enum Resource {
    HEALTH("`/health`"),
    PAGE("`/`, `/robots.txt` and what pages load"),
    SIGN_OUT("`/sign-out`"),
    UPLOAD("`/uploads/ID`"),
    FOLDER("`/files/FOLDER/`"),
    FILE("`/files/PATH`");

    static final Set<Resource> FILES = EnumSet.of(FOLDER, FILE);
    static final Set<Resource> UPLOADS_AND_FILES = EnumSet.of(UPLOAD, FOLDER, FILE);

    private final String label;

    Resource(String label) {
      this.label = label;
    }

    /** Returns whether everyone may know of it. */
    boolean isOpen() {
      return this == HEALTH || this == PAGE || this == SIGN_OUT;
    }

    /** Returns what a path names. One outside of all these is refused like that of a file. */
    static Resource of(FileRequest request) {
      if (request.isAboutUpload()) {
        return UPLOAD;
      }
      if (request.rawPath().equals(HttpRoutes.HEALTH)) {
        return HEALTH;
      }
      if (request.rawPath().equals(HttpRoutes.SIGN_OUT)) {
        return SIGN_OUT;
      }
      return request.namesDirectory() ? FOLDER : FILE;
    }
  }

  /** Handles a request. Its exchange has what the caller may do, and the path if it is of files. */
  @FunctionalInterface
  interface Handler {
    void handle(Exchange exchange) throws FerryException;
  }

  private static final Map<HttpMethod, Route[]> BY_METHOD = new HashMap<>();
  private static final Map<Resource, String> ALLOWED = new EnumMap<>(Resource.class);

  /** All methods but {@code OPTIONS}. */
  private static final String METHODS;

  static {
    for (Route route : values()) {
      BY_METHOD.merge(
          route.method,
          new Route[] {route},
          (known, more) -> Stream.of(known, more).flatMap(Arrays::stream).toArray(Route[]::new));
    }
    for (Resource resource : Resource.values()) {
      ALLOWED.put(
          resource,
          names(route -> route.condition.isEmpty() && route.resources.contains(resource)));
    }
    METHODS = names(route -> route != OPTIONS);
  }

  private final HttpMethod method;
  private final String condition;
  private final Predicate<Exchange> matches;
  private final Operation operation;
  private final Handler handler;
  private final Set<Resource> resources;
  private final boolean open;

  Route(String method, Operation operation, Handler handler, Resource resource) {
    this(method, operation, handler, EnumSet.of(resource));
  }

  Route(String method, Operation operation, Handler handler, Set<Resource> resources) {
    this(method, "", exchange -> true, operation, handler, resources);
  }

  Route(
      String method,
      String condition,
      Predicate<Exchange> matches,
      Operation operation,
      Handler handler,
      Resource resource) {
    this(method, condition, matches, operation, handler, EnumSet.of(resource));
  }

  /**
   * @param condition what else a request has, for readers; empty if it has only the method
   */
  Route(
      String method,
      String condition,
      Predicate<Exchange> matches,
      Operation operation,
      Handler handler,
      Set<Resource> resources) {
    this.method = HttpMethod.valueOf(method);
    this.condition = condition;
    this.matches = matches;
    this.operation = operation;
    this.handler = handler;
    this.resources = resources;
    this.open = resources.stream().anyMatch(Resource::isOpen);
  }

  /** Returns the route of a request; null if its resource does not have its method. */
  static @Nullable Route of(Exchange exchange) {
    Route[] routes = BY_METHOD.get(exchange.method());
    if (routes == null) {
      return null;
    }
    Resource resource = Resource.of(exchange.request());
    for (Route route : routes) {
      if (route.isOf(resource, exchange) && route.matches.test(exchange)) {
        return route;
      }
    }
    return null;
  }

  private boolean isOf(Resource resource, Exchange exchange) {
    return resources.contains(resource)
        || (resources.contains(Resource.PAGE) && PageRequests.isOpen(exchange.request().rawPath()))
        || (resource == Resource.UPLOAD && isWebDavAlone());
  }

  /** Whether only WebDAV has the method: its clients find no file then, wherever they ask. */
  private boolean isWebDavAlone() {
    return compareTo(PROPFIND_ALONE) >= 0;
  }

  /** Handles a request, of which this is the route. */
  void handle(Exchange exchange) throws FerryException {
    handler.handle(exchange);
  }

  /** Returns what its requests are reported as. */
  Operation operation() {
    return operation;
  }

  /** Returns whether everyone may send such a request. */
  boolean isOpen() {
    return open;
  }

  /** Returns whether such a request is about a file or directory. */
  boolean isOfFiles() {
    return this != OPTIONS
        && (resources.contains(Resource.FILE) || resources.contains(Resource.FOLDER));
  }

  /** Returns the methods that all requests for a resource may have, as {@code Allow} lists them. */
  static String allowed(FileRequest request) {
    return Objects.requireNonNull(ALLOWED.get(Resource.of(request)));
  }

  /** Returns all methods that a page may use, for the response to a preflight. */
  static String methods() {
    return METHODS;
  }

  private static String names(Predicate<Route> which) {
    return Arrays.stream(values())
        .filter(which)
        .map(route -> route.method.name())
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /** Returns the table of all routes, in Markdown. */
  static String table() {
    StringBuilder table =
        new StringBuilder("| method | resource | if | is reported as |\n|---|---|---|---|\n");
    for (Route route : values()) {
      String resources =
          route.resources.stream()
              .map(resource -> resource.label)
              .collect(Collectors.joining(", "));
      table.append(
          "| `%s` | %s | %s | `%s` |\n"
              .formatted(route.method, resources, route.condition, route.operation));
    }
    return table.toString();
  }
}
