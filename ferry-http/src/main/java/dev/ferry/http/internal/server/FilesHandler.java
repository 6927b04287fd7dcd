package dev.ferry.http.internal.server;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.wire.ServedRequest.Operation;
import dev.ferry.wire.internal.FileOperations;
import dev.ferry.wire.internal.TlsContexts;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;

/** Finds the route of each request for files, and out who its caller is and what it may do. */
public class FilesHandler extends RequestHandler {
  private final PortState port;

  public FilesHandler(PortState port) {
    this.port = port;
  }

  @Override
  protected Operation operation(Exchange exchange) {
    Route route = Route.of(exchange);
    exchange.leadTo(route);
    return route == null ? Operation.OTHER : route.operation();
  }

  @Override
  protected void handle(Exchange exchange) throws FerryException {
    Route route = exchange.route();
    FileRequest request = exchange.request();
    if (route != null && route.isOpen()) {
      route.handle(exchange);
      return;
    }
    if (route == null && Route.Resource.of(request) == Route.Resource.HEALTH) {
      exchange.respondEarly(Responses.methodNotAllowed(exchange.method(), request));
      return;
    }
    FileOperations files =
        port.stores()
            .of(
                request.headers().getAll(HttpHeaderNames.AUTHORIZATION),
                TlsContexts.session(exchange.context().channel()),
                exchange.running());
    HttpMethod method = exchange.method();
    boolean reads = method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
    FileStore store = LockedStore.of(exchange, port.locks(), files.store(), reads);
    exchange.use(port, files.on(store), reads);
    if (route == null ? !request.isAboutUpload() : route.isOfFiles()) {
      exchange.about(request.fileOrDirectory());
    }
    if (route == null) {
      exchange.respond(Responses.methodNotAllowed(method, request));
    } else {
      route.handle(exchange);
    }
  }
}
