package dev.ferry.http.internal.server;

import dev.ferry.contract.HttpRoutes;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.net.internal.AccessRules;
import dev.ferry.net.internal.FileOperations;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import java.util.Set;

/**
 * Requests that change names in the store: {@code DELETE}, and {@code MKCOL} and {@code MOVE} of
 * WebDAV (RFC 4918), with its statuses. {@link HttpRoutes} says what differs from it.
 */
final class WebDavChanges {
  private static final HttpMethod MKCOL = HttpMethod.valueOf("MKCOL");
  private static final HttpMethod MOVE = HttpMethod.valueOf("MOVE");

  private static final Set<HttpMethod> METHODS = Set.of(HttpMethod.DELETE, MKCOL, MOVE);

  private WebDavChanges() {}

  /**
   * Makes the change that a request is for, one that {@link #changes} names.
   *
   * @param rules know the names of this server
   * @return the response
   * @throws FerryException if the response is the one for this failure
   */
  static FullHttpResponse make(
      FileOperations files,
      StorePath path,
      HttpRequest http,
      FileRequest request,
      AccessRules rules)
      throws FerryException {
    FileStore store = files.store();
    if (isLink(http)) {
      return makeLink(store, path, http, request);
    }
    if (http.method().equals(MKCOL)) {
      return makeDirectory(store, path, http, request);
    }
    String version =
        Conditions.ofChange(request.headers(), path, store, CreateOptions.DEFAULT).replaced();
    if (http.method().equals(MOVE)) {
      return move(files, path, request, rules);
    }
    store.delete(path, version);
    return Responses.empty(HttpResponseStatus.NO_CONTENT);
  }

  /** Whether a request is one of those that change names. */
  static boolean changes(HttpRequest http) {
    return METHODS.contains(http.method()) || isLink(http);
  }

  /** Whether a request makes a link, and is no upload. */
  static boolean isLink(HttpRequest http) {
    return http.method().equals(HttpMethod.PUT) && http.headers().contains(HttpRoutes.LINK);
  }

  private static FullHttpResponse makeLink(
      FileStore store, StorePath path, HttpRequest http, FileRequest request)
      throws FerryException {
    if (hasBody(http)) {
      return Responses.problem(
          ErrorKind.INVALID_REQUEST, 415, path + ": a link has no body; send it without one");
    }
    String field = String.join(", ", http.headers().getAll(HttpRoutes.LINK));
    store.makeLink(path, HttpRoutes.linkTarget(field), request.overwrites());
    FullHttpResponse response = created();
    response.headers().set(HttpRoutes.LINK, field);
    return response;
  }

  private static boolean hasBody(HttpRequest http) {
    return HttpUtil.isTransferEncodingChunked(http) || HttpUtil.getContentLength(http, 0L) > 0;
  }

  private static FullHttpResponse makeDirectory(
      FileStore store, StorePath path, HttpRequest http, FileRequest request)
      throws FerryException {
    if (hasBody(http)) {
      return Responses.problem(
          ErrorKind.INVALID_REQUEST, 415, path + ": a MKCOL with a body is not supported");
    }
    try {
      store.makeDirectory(path, request.makesParents());
    } catch (FerryException e) {
      return switch (e.kind()) {
        case ALREADY_EXISTS -> Responses.allowing(problem(e, 405), request);
        case NOT_FOUND -> problem(e, 409);
        default -> throw e;
      };
    }
    return created();
  }

  private static FullHttpResponse move(
      FileOperations files, StorePath path, FileRequest request, AccessRules rules)
      throws FerryException {
    FileStore store = files.store();
    StorePath target = request.destination(rules);
    files.request().target(target.value());
    boolean replace = request.overwrites();
    boolean replaces = replace && store.exists(target);
    try {
      store.move(path, target, replace);
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.ALREADY_EXISTS) {
        return Responses.preconditionFailed(e);
      }
      if (e.kind() == ErrorKind.NOT_FOUND && exists(store, path)) {
        return problem(e, 409);
      }
      throw e;
    }
    return replaces ? Responses.empty(HttpResponseStatus.NO_CONTENT) : created();
  }

  private static boolean exists(FileStore store, StorePath path) {
    try {
      return store.exists(path);
    } catch (FerryException e) {
      // The failure of the move is reported as it is.
      return false;
    }
  }

  private static FullHttpResponse created() {
    FullHttpResponse response = Responses.empty(HttpResponseStatus.CREATED);
    HttpUtil.setContentLength(response, 0);
    return response;
  }

  private static FullHttpResponse problem(FerryException failure, int status) {
    return Responses.problem(failure.kind(), status, String.valueOf(failure.getMessage()));
  }
}
