package dev.ferry.http.internal.server;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.wire.internal.RunningRequest;
import dev.ferry.wire.internal.contract.HttpRoutes;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Requests that change names in the store: {@code DELETE}, and {@code MKCOL}, {@code COPY} and
 * {@code MOVE} of WebDAV (RFC 4918), with its statuses. {@link HttpRoutes} says what differs from
 * it.
 */
final class WebDavChanges {
  private WebDavChanges() {}

  /** Deletes a file or an empty directory; with a slash at the end of its path, a whole tree. */
  static void delete(Exchange exchange) {
    boolean tree = exchange.request().namesDirectory();
    answer(
        exchange,
        tree,
        () -> {
          StorePath path = exchange.path();
          String version = version(exchange);
          TreeChanges changes = changes(exchange);
          if (tree) {
            changes.delete(path, version);
          } else {
            exchange.store().delete(path, version);
          }
          return done(exchange, changes, Responses.empty(HttpResponseStatus.NO_CONTENT));
        });
  }

  /** Copies a file or directory. */
  static void copy(Exchange exchange) {
    answer(exchange, true, () -> transfer(exchange, false));
  }

  /** Moves a file or directory. */
  static void move(Exchange exchange) {
    answer(
        exchange, exchange.request().destinationNamesDirectory(), () -> transfer(exchange, true));
  }

  /** Makes a directory. */
  static void makeDirectory(Exchange exchange) {
    exchange.answer(() -> madeDirectory(exchange));
  }

  /** Makes a symbolic link. */
  static void makeLink(Exchange exchange) {
    exchange.answer(() -> madeLink(exchange));
  }

  /**
   * Responds with what becomes of a change.
   *
   * @param isLong whether it may take long, since it concerns a whole tree
   */
  private static void answer(
      Exchange exchange, boolean isLong, Retries.Call<FullHttpResponse> change) {
    if (!isLong) {
      exchange.answer(change);
      return;
    }
    RunningRequest running = exchange.running();
    Executor trees = exchange.port().trees(exchange.route() == Route.COPY, running.holder());
    exchange.answer(running.working(trees), change);
  }

  private static @Nullable String version(Exchange exchange) throws FerryException {
    return Conditions.ofChange(
            exchange.request().headers(), exchange.path(), exchange.store(), CreateOptions.DEFAULT)
        .replaced();
  }

  private static TreeChanges changes(Exchange exchange) {
    return new TreeChanges(exchange.store(), () -> exchange.context().channel().isActive());
  }

  private static FullHttpResponse done(
      Exchange exchange, TreeChanges changes, FullHttpResponse response) {
    FullHttpResponse failure = changes.failure(exchange.base());
    return failure == null ? response : failure;
  }

  private static FullHttpResponse madeLink(Exchange exchange) throws FerryException {
    StorePath path = exchange.path();
    if (hasBody(exchange.http())) {
      return Responses.problem(
          ErrorKind.INVALID_REQUEST, 415, path + ": a link has no body; send it without one");
    }
    String field = String.join(", ", exchange.request().headers().getAll(HttpRoutes.LINK));
    exchange.store().makeLink(path, HttpRoutes.linkTarget(field), exchange.request().overwrites());
    FullHttpResponse response = Responses.without(HttpResponseStatus.CREATED);
    response.headers().set(HttpRoutes.LINK, field);
    return response;
  }

  private static boolean hasBody(HttpRequest http) {
    return HttpUtil.isTransferEncodingChunked(http) || HttpUtil.getContentLength(http, 0L) > 0;
  }

  private static FullHttpResponse madeDirectory(Exchange exchange) throws FerryException {
    StorePath path = exchange.path();
    FileRequest request = exchange.request();
    if (hasBody(exchange.http())) {
      return Responses.problem(
          ErrorKind.INVALID_REQUEST, 415, path + ": a MKCOL with a body is not supported");
    }
    try {
      exchange.store().makeDirectory(path, request.makesParents(), request.mode(HttpRoutes.MODE));
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
  private static FullHttpResponse transfer(Exchange exchange, boolean moves) throws FerryException {
    FileStore store = exchange.store();
    FileRequest request = exchange.request();
    StorePath source = exchange.path();
    // MOVE and COPY evaluate their conditions once.
    String unused = version(exchange);
    TreeChanges changes = changes(exchange);
    StorePath target = request.destination(exchange.rules());
    exchange.running().target(target.value());
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
        exchange,
        changes,
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
