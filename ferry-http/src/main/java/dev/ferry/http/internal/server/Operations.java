package dev.ferry.http.internal.server;

import dev.ferry.net.ServedRequest.Operation;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;

/** Tells what requests are for. */
final class Operations {
  private Operations() {}

  static Operation of(HttpRequest http) {
    HttpMethod method = http.method();
    FileRequest request = FileRequest.of(http);
    if (UploadRequests.isAboutUpload(request)) {
      return ofUpload(method);
    }
    if (UploadRequests.stores(method, request)) {
      return Operation.UPLOAD;
    }
    return switch (method.name()) {
      case "GET" -> request.namesDirectory() ? Operation.LIST : Operation.DOWNLOAD;
      case "HEAD" -> Operation.STAT;
      case "DELETE" -> Operation.DELETE;
      case "MOVE" -> Operation.MOVE;
      case "MKCOL" -> Operation.MAKE_DIRECTORY;
      default -> Operation.OTHER;
    };
  }

  private static Operation ofUpload(HttpMethod method) {
    return switch (method.name()) {
      case "HEAD" -> Operation.UPLOAD_STATUS;
      case "DELETE" -> Operation.CANCEL_UPLOAD;
      case "PATCH" -> Operation.UPLOAD;
      default -> Operation.OTHER;
    };
  }
}
