package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.NameMemory;
import dev.ferry.http.internal.page.Assets;
import dev.ferry.http.internal.page.ContentFields;
import dev.ferry.http.internal.page.FolderPage;
import dev.ferry.http.internal.page.Page;
import dev.ferry.http.internal.page.ZipBody;
import dev.ferry.wire.internal.RunningRequest;
import dev.ferry.wire.internal.contract.BasePath;
import dev.ferry.wire.internal.contract.HttpRoutes;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** What people request beside files and what programs request: pages, and archives of folders. */
final class PageRequests {
  /** The query of an archive. */
  private static final Pattern ZIP = Pattern.compile("(?:^|&)zip(?:[=&]|$)");

  private static final Pattern WEIGHT = Pattern.compile("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)");

  /** Characters of the longest weight. */
  private static final int MAX_WEIGHT = 7;

  /** Bytes of a list to write and send at once. */
  static final int LIST_BYTES = 64 * 1024;

  private static final String ROBOTS = "/robots.txt";
  private static final String HTML = "text/html";
  private static final String FORM = "multipart/form-data";

  /** Bytes of a form that selects entries, and entries that it may select. */
  private static final int MAX_SELECTION_BYTES = 1024 * 1024;

  private static final int MAX_SELECTED = 10_000;

  private PageRequests() {}

  /** Returns whether a client takes HTML, and prefers it to JSON. */
  static boolean wantsHtml(HttpHeaders headers) {
    String accept = headers.get(HttpHeaderNames.ACCEPT);
    if (accept == null || !accept.contains(HTML)) {
      return false;
    }
    double best = 0;
    boolean html = false;
    for (String member : accept.toLowerCase(Locale.ROOT).split(",", -1)) {
      String[] parts = member.split(";", -1);
      String type = parts[0].strip();
      double weight = weight(parts);
      if ((type.equals(HTML) || type.equals("application/json")) && weight > best) {
        best = weight;
        html = type.equals(HTML);
      }
    }
    return html;
  }

  private static double weight(String[] parts) {
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip();
      if (parameter.length() <= MAX_WEIGHT
          && parameter.startsWith("q=")
          && WEIGHT.matcher(parameter).matches()) {
        return Double.parseDouble(parameter.substring(2));
      }
    }
    return 1;
  }

  /** Returns whether a path needs no caller, since it is of the page itself. */
  static boolean isOpen(String path) {
    return path.equals("/")
        || path.equals(ROBOTS)
        || (path.startsWith(Assets.PREFIX) && Assets.at(path) != null);
  }

  /** Responds to whether the port serves requests. */
  static void health(Exchange exchange) {
    exchange.respondEarly(Responses.health());
  }

  /** Responds to a request for a path that {@link #isOpen}. */
  static void open(Exchange exchange) {
    exchange.respondEarly(open(exchange.request().rawPath()));
  }

  private static FullHttpResponse open(String path) {
    Assets.Asset asset = path.startsWith(Assets.PREFIX) ? Assets.at(path) : null;
    if (asset != null) {
      FullHttpResponse response = whole(asset.content(), asset.type());
      response
          .headers()
          .set(HttpHeaderNames.CACHE_CONTROL, "public, max-age=31536000, immutable")
          .set(HttpHeaderNames.ETAG, '"' + asset.path() + '"');
      return response;
    }
    if (path.equals(ROBOTS)) {
      return whole("User-agent: *\nDisallow: /\n".getBytes(StandardCharsets.UTF_8), "text/plain");
    }
    FullHttpResponse response = Responses.without(HttpResponseStatus.FOUND);
    response.headers().set(HttpHeaderNames.LOCATION, HttpRoutes.FILES);
    return response;
  }

  private static FullHttpResponse whole(byte[] content, CharSequence type) {
    FullHttpResponse response = Responses.whole(HttpResponseStatus.OK, type, content);
    ContentFields.type(response.headers(), type);
    return response;
  }

  /** Returns the response with a page, whose text depends on the caller and on {@code Accept}. */
  static FullHttpResponse of(Page page) {
    FullHttpResponse response =
        whole(page.html().getBytes(StandardCharsets.UTF_8), "text/html; charset=utf-8");
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, page.policy())
        // Without a referrer, browsers would send forms with the origin null, which is refused.
        .set("Referrer-Policy", "same-origin")
        .set("Cross-Origin-Opener-Policy", "same-origin")
        .set(HttpHeaderNames.CACHE_CONTROL, "no-cache, private")
        .set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT);
    return response;
  }

  /** Returns problem details as a page with the same status and fields; others as they are. */
  static FullHttpResponse forPeople(FullHttpResponse response, BasePath base) {
    HttpHeaders headers = response.headers();
    if (!HttpRoutes.PROBLEM_JSON.equals(headers.get(HttpHeaderNames.CONTENT_TYPE))) {
      return response;
    }
    String title = response.status().reasonPhrase();
    String detail = HttpRoutes.detail(headers.get(HttpRoutes.ERROR_DETAIL));
    FullHttpResponse shown = of(Page.ofProblem(title, detail, base)).setStatus(response.status());
    HttpHeaders own = shown.headers().copy();
    headers.forEach(
        field -> {
          if (!own.contains(field.getKey())) {
            shown.headers().add(field.getKey(), field.getValue());
          }
        });
    response.release();
    return shown;
  }

  /** Responds with the page of a folder. */
  static void folder(Exchange exchange) {
    exchange.answer(
        () -> {
          List<String> after = values(exchange.request().query(), "after", 2);
          String user = exchange.running().caller();
          FullHttpResponse response =
              of(
                  FolderPage.of(
                      exchange.store(),
                      exchange.path(),
                      after.isEmpty() ? null : after.get(0),
                      FolderPage.user(
                          user, SignIn.isByPassword(exchange.request().headers()), exchange.base()),
                      exchange.base()));
          if (user != null) {
            // Whoever goes back after the user has signed out sees no names.
            response.headers().set(HttpHeaderNames.CACHE_CONTROL, "no-store");
          }
          return response;
        });
  }

  /**
   * Returns the values of a field of a query or of a form.
   *
   * @param most fields that are looked at
   */
  private static List<String> values(String text, String name, int most) throws FerryException {
    try {
      return new QueryStringDecoder(text, StandardCharsets.UTF_8, false, most)
          .parameters()
          .getOrDefault(name, List.of());
    } catch (IllegalArgumentException e) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, name + ": is not percent-encoded as in a URI", e);
    }
  }

  /** Returns whether a request is for an archive. */
  static boolean isZip(FileRequest request) {
    return ZIP.matcher(request.query()).find();
  }

  /** Returns whether a request stores the files of a form. */
  static boolean isForm(HttpHeaders headers) {
    String type = headers.get(HttpHeaderNames.CONTENT_TYPE);
    return type != null && type.regionMatches(true, 0, FORM, 0, FORM.length());
  }

  /** Responds with the list of a folder, or of the tree below it. */
  static void list(Exchange exchange) {
    FileStore store = exchange.store();
    StorePath folder = exchange.path();
    boolean tree = exchange.request().recursive();
    exchange.offload(
        () -> new ListBody(tree ? store.listTree(folder) : store.list(folder)),
        body ->
            exchange.sendMade(listHead(store, folder, exchange.request()), body, LIST_BYTES, false),
        ListBody::close);
  }

  /** Creates the head of a list, which a page has in place of it for people. */
  private static HttpResponse listHead(FileStore store, StorePath folder, FileRequest request) {
    HttpResponse response = Responses.made(request.chunked());
    if (request.recursive()) {
      response.headers().set(HttpRoutes.RECURSIVE, HttpRoutes.YES);
    }
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
        .set(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT)
        .set(HttpRoutes.PERMISSIONS, FolderPage.permissions(store, folder));
    return response;
  }

  /** Creates the head of an archive of a folder. */
  private static HttpResponse zipHead(StorePath folder, boolean chunked) {
    HttpResponse response = Responses.made(chunked);
    String name = folder.equals(StorePath.ROOT) ? "files" : folder.name();
    ContentFields.save(response.headers(), "application/zip", name + ".zip");
    return response;
  }

  /** Creates the response to a form whose files are stored: for browsers the folder. */
  static FullHttpResponse stored(List<String> paths, Exchange exchange) {
    boolean html = wantsHtml(exchange.request().headers());
    FullHttpResponse response =
        html
            ? Responses.without(HttpResponseStatus.SEE_OTHER)
            : Responses.json(HttpResponseStatus.CREATED, "application/json", paths);
    String uri = FileRequest.directoryUri(exchange.path(), exchange.http());
    response.headers().set(HttpHeaderNames.LOCATION, uri);
    return response;
  }

  /** Responds with an archive of a folder. */
  static void zip(Exchange exchange) {
    NameMemory memory = exchange.port().archives();
    RunningRequest running = exchange.running();
    sendZip(
        exchange,
        () ->
            ZipBody.of(
                exchange.store(), exchange.path(), memory, running.holder(), running::bytes));
  }

  /** Receives the form that selects entries of a folder, and then responds with their archive. */
  static void zipOfSelection(Exchange exchange) {
    exchange.receive(
        new SmallBody(
            exchange, MAX_SELECTION_BYTES, PageRequests::tooMany, PageRequests::zipOfSelection));
  }

  private static void zipOfSelection(Exchange exchange, ByteBuf body, HttpHeaders trailers) {
    byte[] form = SmallBody.bytes(body);
    sendZip(exchange, () -> archive(exchange, selected(form)));
  }

  private static void sendZip(Exchange exchange, Retries.Call<ZipBody> begin) {
    exchange.offload(
        begin,
        body ->
            exchange.sendMade(
                zipHead(exchange.path(), exchange.request().chunked()),
                body,
                FileDownloads.BUFFER_BYTES,
                true),
        ZipBody::close);
  }

  private static FerryException tooMany() {
    return new FerryException(
        ErrorKind.INVALID_REQUEST,
        "form: it selects too many entries; select " + MAX_SELECTED + ", or the folder");
  }

  private static List<String> selected(byte[] form) throws FerryException {
    String text = new String(form, StandardCharsets.US_ASCII);
    List<String> names = values(text, "name", MAX_SELECTED + 2);
    if (names.size() > MAX_SELECTED) {
      throw tooMany();
    }
    if (names.isEmpty()) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "form: it selects nothing; select a file or a folder");
    }
    return names;
  }

  /** Gets the facts of the entries, so that a missing one is told before the archive begins. */
  private static ZipBody archive(Exchange exchange, List<String> names) throws FerryException {
    FileStore store = exchange.store();
    StorePath folder = exchange.path();
    RunningRequest request = exchange.running();
    List<FileFacts> entries = new ArrayList<>();
    for (String name : names) {
      StorePath path = HttpRoutes.storePath(HttpRoutes.FILES + name);
      StorePath entry = StorePath.parse(folder.child(path.value()).value());
      FileFacts facts = store.stat(entry, false);
      entries.add(
          new FileFacts(
              entry.value(), facts.size(), facts.lastModified(), facts.directory(), null));
    }
    NameMemory memory = exchange.port().archives();
    return ZipBody.of(store, folder, memory, request.holder(), entries, request::bytes);
  }
}
