package dev.ferry.http.internal.server;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.wire.internal.AccessRules;
import dev.ferry.wire.internal.FileOperations;
import dev.ferry.wire.internal.contract.HttpRoutes;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests that change names in the store: {@code DELETE}, and {@code MKCOL}, {@code COPY} and
 * {@code MOVE} of WebDAV (RFC 4918), with its statuses. {@link HttpRoutes} says what differs from
 * it.
 */
final class WebDavChanges {
  private static final HttpMethod MKCOL = HttpMethod.valueOf("MKCOL");
  static final HttpMethod COPY = HttpMethod.valueOf("COPY");
  private static final HttpMethod MOVE = HttpMethod.valueOf("MOVE");

  private static final Set<HttpMethod> METHODS = Set.of(HttpMethod.DELETE, MKCOL, COPY, MOVE);

  private WebDavChanges() {}

  /**
   * Makes the change that a request is for, one that {@link #changes} names.
   *
   * @param rules know the names of this server
   * @param wanted whether the client still waits
   * @return the response
   * @throws FerryException if the response is the one for this failure
   */
  static FullHttpResponse make(
      FileOperations files,
      StorePath path,
      HttpRequest http,
      FileRequest request,
      AccessRules rules,
      BooleanSupplier wanted)
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
    TreeChanges changes = new TreeChanges(store, wanted);
    if (http.method().equals(HttpMethod.DELETE)) {
      if (request.namesDirectory()) {
        changes.delete(path, version);
      } else {
        store.delete(path, version);
      }
      return done(changes, rules, Responses.empty(HttpResponseStatus.NO_CONTENT));
    }
    StorePath target = request.destination(rules);
    files.request().target(target.value());
    return transfer(store, path, target, http.method().equals(MOVE), request, changes, rules);
  }

  private static FullHttpResponse done(
      TreeChanges changes, AccessRules rules, FullHttpResponse response) {
    FullHttpResponse failure = changes.failure(rules.basePath());
    return failure == null ? response : failure;
  }

  /** Whether a request is one of those that change names. */
  static boolean changes(HttpRequest http) {
    return METHODS.contains(http.method()) || isLink(http);
  }

  /** Whether a request that {@link #changes} may take long: it copies, or deletes a tree. */
  static boolean isLong(HttpRequest http, FileRequest request) {
    return http.method().equals(COPY)
        || (http.method().equals(HttpMethod.DELETE) && request.namesDirectory())
        || (http.method().equals(MOVE) && request.destinationNamesDirectory());
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
    FullHttpResponse response = Responses.without(HttpResponseStatus.CREATED);
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
      store.makeDirectory(path, request.makesParents(), request.mode(HttpRoutes.MODE));
    } catch (FerryException e) {
      return switch (e.kind()) {
        case ALREADY_EXISTS -> Responses.allowing(Responses.problem(e, 405), request);
        case NOT_FOUND -> Responses.problem(e, 409);
        default -> throw e;
      };
    }
    return Responses.without(HttpResponseStatus.CREATED);
  }

  /** Moves or copies. */
  private static FullHttpResponse transfer(
      FileStore store,
      StorePath source,
      StorePath target,
      boolean moves,
      FileRequest request,
      TreeChanges changes,
      AccessRules rules)
      throws FerryException {
    boolean deep = request.isDeep();
    boolean replace = request.overwrites();
    boolean replaces = replace && store.exists(target);
    try {
      FileFacts facts = moves && !replaces ? null : store.stat(source, false);
      if (!moves && (source.isWithin(target) || isInto(facts, target))) {
        throw new FerryException(
            ErrorKind.PERMISSION_DENIED, source + ": cannot be copied to " + target);
      }
      boolean room = facts != null && replaces && makesRoom(store, facts, target, request);
      if (!moves) {
        changes.copy(Objects.requireNonNull(facts), target, deep, replace, room);
      } else if (room) {
        changes.moveOver(source, target);
      } else {
        store.move(source, target, replace);
      }
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.ALREADY_EXISTS) {
        return Responses.preconditionFailed(e);
      }
      if (e.kind() == ErrorKind.NOT_FOUND && exists(store, source)) {
        return Responses.problem(e, 409);
      }
      throw e;
    }
    return done(
        changes,
        rules,
        replaces
            ? Responses.empty(HttpResponseStatus.NO_CONTENT)
            : Responses.without(HttpResponseStatus.CREATED));
  }

  private static boolean isInto(@Nullable FileFacts source, StorePath target) {
    return source != null && source.directory() && target.isWithin(new StorePath(source.name()));
  }

  /**
   * Whether what is at the target gives way: a directory if the new path has the slash of one, and
   * a file to a directory if the path has. So clients that know files alone lose nothing. A store
   * replaces files by files itself.
   */
  private static boolean makesRoom(
      FileStore store, FileFacts source, StorePath target, FileRequest request)
      throws FerryException {
    StorePath from = new StorePath(source.name());
    return !from.isWithin(target)
        && !target.isWithin(from)
        && (store.stat(target, false).directory()
            ? request.destinationNamesDirectory()
            : source.directory() && request.namesDirectory());
  }

  private static boolean exists(FileStore store, StorePath path) {
    try {
      return store.exists(path);
    } catch (FerryException e) {
      // The failure of the move is reported as it is.
      return false;
    }
  }
}
