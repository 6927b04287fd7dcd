package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
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
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What people request beside files and what programs request: pages, and archives of folders. */
final class PageRequests {
  /** The query of an archive. */
  private static final Pattern ZIP = Pattern.compile("(?:^|&)zip(?:[=&]|$)");

  private static final Pattern WEIGHT = Pattern.compile("q=(0(\\.[0-9]{0,3})?|1(\\.0{0,3})?)");

  /** Characters of the longest weight. */
  private static final int MAX_WEIGHT = 7;

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

  /** Returns whether a path is of the page itself. */
  static boolean isOpen(String path) {
    return path.startsWith(Assets.PREFIX) || path.equals(ROBOTS) || path.equals("/");
  }

  /** Returns the response to a request that needs no caller; null for all others. */
  static @Nullable FullHttpResponse open(HttpRequest http) {
    HttpMethod method = http.method();
    boolean reads = method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
    if (!reads || http.uri().startsWith(HttpRoutes.FILES)) {
      return null;
    }
    String path = FileRequest.of(http).rawPath();
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
    if (path.equals("/")) {
      FullHttpResponse response = Responses.without(HttpResponseStatus.FOUND);
      response.headers().set(HttpHeaderNames.LOCATION, HttpRoutes.FILES);
      return response;
    }
    return null;
  }

  private static FullHttpResponse whole(byte[] content, CharSequence type) {
    FullHttpResponse response = Responses.whole(HttpResponseStatus.OK, type, content);
    ContentFields.type(response.headers(), type);
    return response;
  }

  /** Returns the response with a page, whose text depends on the caller and on {@code Accept}. */
  private static FullHttpResponse of(Page page) {
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

  /** Makes the page of a folder. */
  static FullHttpResponse folder(
      FileStore store, StorePath folder, FileRequest request, BasePath base) throws FerryException {
    List<String> after = values(request.query(), "after", 2);
    return of(FolderPage.of(store, folder, after.isEmpty() ? null : after.get(0), base));
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
  static boolean isForm(HttpRequest http) {
    String type = http.headers().get(HttpHeaderNames.CONTENT_TYPE);
    return http.method().equals(HttpMethod.POST)
        && type != null
        && type.regionMatches(true, 0, FORM, 0, FORM.length());
  }

  /** Creates the head of a list, which a page has in place of it for people. */
  static HttpResponse listHead(FileStore store, StorePath folder, FileRequest request) {
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
  static HttpResponse zipHead(StorePath folder, boolean chunked) {
    HttpResponse response = Responses.made(chunked);
    String name = folder.equals(StorePath.ROOT) ? "files" : folder.name();
    ContentFields.save(response.headers(), "application/zip", name + ".zip");
    return response;
  }

  /** Creates the response to a form whose files are stored: for browsers the folder. */
  static FullHttpResponse stored(List<String> paths, StorePath folder, HttpRequest http) {
    boolean html = wantsHtml(http.headers());
    FullHttpResponse response =
        html
            ? Responses.without(HttpResponseStatus.SEE_OTHER)
            : Responses.json(HttpResponseStatus.CREATED, "application/json", paths);
    response.headers().set(HttpHeaderNames.LOCATION, FileRequest.directoryUri(folder, http));
    return response;
  }

  /** Receives the form that selects entries of a folder, and then begins their archive. */
  static SmallBody selection(
      FilesHandler handler,
      ChannelHandlerContext context,
      FileStore store,
      StorePath folder,
      boolean chunked) {
    RunningRequest running = handler.running();
    return new SmallBody(
        handler,
        context,
        MAX_SELECTION_BYTES,
        PageRequests::tooMany,
        form ->
            handler.archive(
                context,
                folder,
                chunked,
                () -> archive(store, folder, handler.archives(), selected(form), running)));
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
  private static ZipBody archive(
      FileStore store,
      StorePath folder,
      NameMemory memory,
      List<String> names,
      RunningRequest request)
      throws FerryException {
    List<FileFacts> entries = new ArrayList<>();
    for (String name : names) {
      StorePath path = HttpRoutes.storePath(HttpRoutes.FILES + name);
      StorePath entry = StorePath.parse(folder.child(path.value()).value());
      FileFacts facts = store.stat(entry, false);
      entries.add(
          new FileFacts(
              entry.value(), facts.size(), facts.lastModified(), facts.directory(), null));
    }
    return ZipBody.of(store, folder, memory, request.holder(), entries, request::bytes);
  }
}
