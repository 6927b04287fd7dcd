package dev.ferry.suites.rival.armeria;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.common.stream.SubscriptionOption;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.ferry.core.FerryException;
import dev.ferry.suites.rival.FerryRoutes;
import dev.ferry.suites.rival.SentFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Downloads and uploads of the files of a folder, which threads for blocking tasks move. */
record ArmeriaFiles(Path root) implements HttpService {
  private static final String GZIP = "gzip";

  /** Bytes of a file that are compressed at once. */
  private static final int GZIP_BYTES = 64 * 1024;

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    Path file;
    try {
      file = root.resolve(FerryRoutes.storePath(context.rawPath()).value());
    } catch (FerryException e) {
      return HttpResponse.of(HttpStatus.BAD_REQUEST);
    }
    Executor workers = context.blockingTaskExecutor();
    if (request.method() == HttpMethod.GET) {
      boolean gzip = request.headers().get(HttpHeaderNames.ACCEPT_ENCODING, "").contains(GZIP);
      return HttpResponse.of(
          CompletableFuture.supplyAsync(() -> download(context, workers, file, gzip), workers));
    }
    if (request.method() == HttpMethod.PUT) {
      boolean gzip = GZIP.equals(request.headers().get(HttpHeaderNames.CONTENT_ENCODING));
      UploadBody body = new UploadBody(file, gzip, workers);
      request.subscribe(body, context.eventLoop(), SubscriptionOption.WITH_POOLED_OBJECTS);
      return HttpResponse.of(body.response());
    }
    return HttpResponse.of(HttpStatus.METHOD_NOT_ALLOWED);
  }

  private static HttpResponse download(
      ServiceRequestContext context, Executor workers, Path file, boolean gzip) {
    try {
      SentFile sent = new SentFile(file, gzip, GZIP_BYTES);
      ResponseHeadersBuilder head = ResponseHeaders.builder(HttpStatus.OK);
      if (gzip) {
        head.add(HttpHeaderNames.CONTENT_ENCODING, GZIP).contentLengthUnknown();
      } else {
        head.contentLength(sent.length());
      }
      SentBody.Source source = new SentBody.Source(sent::fill, () -> close(sent));
      return SentBody.respond(head.build(), source, context.alloc(), workers);
    } catch (NoSuchFileException e) {
      return HttpResponse.of(HttpStatus.NOT_FOUND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void close(SentFile file) {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
