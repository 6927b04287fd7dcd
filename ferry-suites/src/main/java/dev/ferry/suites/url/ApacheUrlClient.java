package dev.ferry.suites.url;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.apache.hc.client5.http.async.methods.AbstractBinResponseConsumer;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.async.methods.SimpleRequestProducer;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.ProtocolVersion;
import org.apache.hc.core5.io.CloseMode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The asynchronous client of Apache HttpClient, which prefers HTTP/2. */
final class ApacheUrlClient implements UrlClient {
  private static final Logger LOG = LoggerFactory.getLogger(ApacheUrlClient.class);
  private static final int OK = 200;

  private final CloseableHttpAsyncClient client =
      HttpAsyncClients.custom()
          .disableContentCompression()
          // The caller gets the failure. The default would also log it as an error.
          .setIoReactorExceptionCallback(e -> LOG.debug("request ended: {}", e.toString()))
          .build();

  ApacheUrlClient() {
    client.start();
  }

  @Override
  public String get(URI url, Path target) throws IOException {
    try {
      HttpResponse head =
          client
              .execute(
                  SimpleRequestProducer.create(SimpleRequestBuilder.get(url).build()),
                  new FileConsumer(target),
                  null)
              .get();
      UrlClients.requireOk(url, head.getCode());
      ProtocolVersion version = head.getVersion();
      return UrlClients.protocol(version != null && version.getMajor() == 2);
    } catch (InterruptedException e) {
      throw UrlClients.interrupted(url, e);
    } catch (ExecutionException e) {
      throw new IOException(url + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    client.close(CloseMode.IMMEDIATE);
  }

  /** Writes the body of a response to a file, on the threads of the client. */
  private static final class FileConsumer extends AbstractBinResponseConsumer<HttpResponse> {
    private final Path target;
    private @Nullable HttpResponse head;
    private @Nullable ByteChannel file;

    FileConsumer(Path target) {
      this.target = target;
    }

    @Override
    protected void start(HttpResponse response, @Nullable ContentType type) throws IOException {
      head = response;
      if (response.getCode() == OK) {
        file =
            Files.newByteChannel(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      }
    }

    @Override
    protected int capacityIncrement() {
      return Integer.MAX_VALUE;
    }

    @Override
    protected void data(ByteBuffer source, boolean endOfStream) throws IOException {
      ByteChannel out = file;
      if (out == null) {
        source.position(source.limit());
        return;
      }
      while (source.hasRemaining()) {
        int unused = out.write(source);
      }
      if (endOfStream) {
        out.close();
      }
    }

    @Override
    protected HttpResponse buildResult() {
      return Objects.requireNonNull(head);
    }

    @Override
    public void releaseResources() {
      ByteChannel out = file;
      try {
        if (out != null) {
          out.close();
        }
      } catch (IOException e) {
        throw new IllegalStateException("the file cannot be closed", e);
      }
    }
  }
}
