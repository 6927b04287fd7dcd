package dev.ferry.suites.rival.armeria;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions.Progress;
import dev.ferry.http.internal.FileBody;
import dev.ferry.http.internal.OutgoingBody;
import dev.ferry.http.internal.server.BodyReceiver;
import dev.ferry.http.internal.server.FileRequest;
import dev.ferry.http.internal.server.Responses;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Downloads and uploads of files on Armeria, with the heads and the writing of Ferry's own server:
 * what differs is who moves the bytes.
 */
record ArmeriaFilesRoutes(FileStore store) implements HttpService {
  /** Bytes of a file deflated at once. */
  private static final int GZIP_BYTES = 64 * 1024;

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    try {
      return route(context, request, file(context, request));
    } catch (FerryException e) {
      return ArmeriaResponses.problem(e);
    }
  }

  private static FileRequest file(ServiceRequestContext context, HttpRequest request) {
    String target = context.rawPath();
    int query = target.indexOf('?');
    HttpHeaders fields = new DefaultHttpHeaders();
    request.headers().forEach((name, value) -> addField(fields, name.toString(), value));
    return new FileRequest(query < 0 ? target : target.substring(0, query), "", fields, true);
  }

  private static void addField(HttpHeaders fields, String name, String value) {
    if (!name.startsWith(":")) {
      fields.add(name, value);
    }
  }

  private HttpResponse route(ServiceRequestContext context, HttpRequest request, FileRequest file)
      throws FerryException {
    Executor workers = context.blockingTaskExecutor();
    StorePath path = file.file();
    HttpMethod method = request.method();
    if (method == HttpMethod.GET) {
      return offload(workers, () -> download(context, workers, path, file.acceptsGzip()));
    }
    if (method == HttpMethod.PUT) {
      return upload(context, workers, request, file);
    }
    return ArmeriaResponses.whole(
        Responses.methodNotAllowed(
            io.netty.handler.codec.http.HttpMethod.valueOf(method.name()), file));
  }

  private HttpResponse download(
      ServiceRequestContext context, Executor workers, StorePath path, boolean gzip)
      throws IOException {
    FileSource source = store.open(path);
    io.netty.handler.codec.http.HttpResponse head = Responses.head(source.facts(), gzip);
    head.headers().set(HttpHeaderNames.ACCEPT_RANGES, HttpHeaderValues.NONE);
    OutgoingBody body = FileBody.closing(source, gzip, GZIP_BYTES, null, Progress.NONE);
    return SentBody.respond(
        ArmeriaResponses.head(head),
        new SentBody.Source(body::fill, body::close),
        context.alloc(),
        workers);
  }

  private HttpResponse upload(
      ServiceRequestContext context, Executor workers, HttpRequest request, FileRequest file)
      throws FerryException {
    StorePath path = file.file();
    boolean gzip = FileRequest.isGzip(file.coding());
    if (!gzip && !file.coding().equals("identity")) {
      return ArmeriaResponses.whole(Responses.codingNotSupported(file.coding()));
    }
    long size = file.length();
    Digest digest = file.digest();
    CompletableFuture<HttpResponse> response = new CompletableFuture<>();
    return offload(
        workers,
        () -> {
          boolean created = !store.exists(path);
          FileSink sink = store.create(path, file.create(store));
          if (size >= 0) {
            sink.expect(size);
          }
          UploadBody body =
              new UploadBody(
                  created,
                  response,
                  listener ->
                      new BodyReceiver(sink, path.value(), gzip, size, digest, workers, listener));
          request.subscribe(body, context.eventLoop(), SubscriptionOption.WITH_POOLED_OBJECTS);
          return HttpResponse.of(response);
        });
  }

  /** Work that may block. */
  @FunctionalInterface
  private interface Work {
    HttpResponse run() throws IOException;
  }

  private static HttpResponse offload(Executor workers, Work work) {
    CompletableFuture<HttpResponse> response = new CompletableFuture<>();
    try {
      workers.execute(
          () -> {
            try {
              response.complete(work.run());
            } catch (IOException | RuntimeException | Error e) {
              // An error too: the client waits for a response.
              response.complete(ArmeriaResponses.problem(e));
            }
          });
    } catch (RejectedExecutionException e) {
      return ArmeriaResponses.problem(e);
    }
    return HttpResponse.of(response);
  }
}
