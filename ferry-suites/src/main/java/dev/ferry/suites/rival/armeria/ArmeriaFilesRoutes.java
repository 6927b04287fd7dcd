package dev.ferry.suites.rival.armeria;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.http.internal.FileBody;
import dev.ferry.http.internal.server.FileRequest;
import dev.ferry.http.internal.server.Responses;
import dev.ferry.http.internal.server.Upload;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Downloads and uploads of files on Armeria, with the heads and the writing of Ferry's own server:
 * what differs is who moves the bytes.
 */
final class ArmeriaFilesRoutes implements HttpService {
  /** Bytes of a file deflated at once. */
  private static final int GZIP_BYTES = 64 * 1024;

  private final FileStore store;

  ArmeriaFilesRoutes(FileStore store) {
    this.store = store;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    try {
      return route(context, request, asked(context, request));
    } catch (FerryException e) {
      return Answers.problem(e);
    }
  }

  private static FileRequest asked(ServiceRequestContext context, HttpRequest request) {
    String target = context.rawPath();
    int query = target.indexOf('?');
    HttpHeaders fields = new DefaultHttpHeaders();
    request.headers().forEach((name, value) -> addField(fields, name.toString(), value));
    return new FileRequest(query < 0 ? target : target.substring(0, query), fields, true);
  }

  private static void addField(HttpHeaders fields, String name, String value) {
    if (!name.startsWith(":")) {
      fields.add(name, value);
    }
  }

  private HttpResponse route(ServiceRequestContext context, HttpRequest request, FileRequest asked)
      throws FerryException {
    Executor workers = context.blockingTaskExecutor();
    StorePath path = asked.file();
    HttpMethod method = request.method();
    if (method == HttpMethod.GET) {
      return offload(workers, () -> download(context, workers, path, asked.acceptsGzip()));
    }
    if (method == HttpMethod.PUT) {
      return upload(context, workers, request, asked);
    }
    return Answers.whole(
        Responses.methodNotAllowed(
            io.netty.handler.codec.http.HttpMethod.valueOf(method.name()), asked));
  }

  private HttpResponse download(
      ServiceRequestContext context, Executor workers, StorePath path, boolean gzip)
      throws FerryException {
    FileSource source = store.open(path);
    return SentBody.answer(
        Answers.head(Responses.head(source.facts(), gzip)),
        FileBody.closing(source, gzip, GZIP_BYTES),
        context.alloc(),
        workers);
  }

  private HttpResponse upload(
      ServiceRequestContext context, Executor workers, HttpRequest request, FileRequest asked)
      throws FerryException {
    StorePath path = asked.file();
    boolean gzip = FileRequest.isGzip(asked.coding());
    if (!gzip && !asked.coding().equals("identity")) {
      return Answers.whole(Responses.codingNotSupported(asked.coding()));
    }
    long size = asked.length();
    Sha256 digest = asked.digest();
    CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
    return offload(
        workers,
        () -> {
          boolean created = !store.exists(path);
          FileSink sink = asked.create(store);
          UploadBody body =
              new UploadBody(
                  created,
                  answer,
                  listener ->
                      new Upload(sink, path.value(), gzip, size, digest, workers, listener));
          request.subscribe(body, context.eventLoop(), SubscriptionOption.WITH_POOLED_OBJECTS);
          return HttpResponse.of(answer);
        });
  }

  /** Work that may block. */
  @FunctionalInterface
  private interface Work {
    HttpResponse run() throws FerryException;
  }

  private static HttpResponse offload(Executor workers, Work work) {
    CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
    try {
      workers.execute(
          () -> {
            try {
              answer.complete(work.run());
            } catch (FerryException | RuntimeException | Error e) {
              // An error too: the client waits for an answer.
              answer.complete(Answers.problem(e));
            }
          });
    } catch (RejectedExecutionException e) {
      return Answers.problem(e);
    }
    return HttpResponse.of(answer);
  }
}
