package dev.ferry.http.internal.server;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.upload.UploadId;
import dev.ferry.wire.ServedRequest.Operation;
import dev.ferry.wire.internal.FileOperations;
import dev.ferry.wire.internal.TlsContexts;
import dev.ferry.wire.internal.contract.HttpRoutes;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;

/** Finds the route and the caller of each request for files. The route then handles it. */
public final class FilesHandler implements RequestHandler {
  private final PortState port;

  public FilesHandler(PortState port) {
    this.port = port;
  }

  @Override
  public Operation operation(Exchange exchange) {
    Route route = Route.of(exchange);
    exchange.route(route);
    return route == null ? Operation.OTHER : route.operation();
  }

  @Override
  public void handle(Exchange exchange) throws FerryException {
    Route route = exchange.route();
    FileRequest request = exchange.request();
    if (route != null && route.isOpen()) {
      route.handle(exchange);
      return;
    }
    if (route == null && Route.Resource.of(request).isOpen()) {
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
      exchange.path(request.fileOrDirectory());
    } else if (route == null) {
      // A path that no upload can have is not found, whatever the method.
      UploadId unused = HttpRoutes.uploadId(request.rawPath());
    }
    if (route == null) {
      exchange.respond(Responses.methodNotAllowed(method, request));
    } else {
      route.handle(exchange);
    }
  }
}
