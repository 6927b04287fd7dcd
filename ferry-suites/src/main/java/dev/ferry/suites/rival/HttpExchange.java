package dev.ferry.suites.rival;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.http.HttpProtocol;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request of an {@link HttpFileClient}, and where its response goes. The client tells it of the
 * head of the response, and then of its body, one part after the other, on any thread.
 */
public final class HttpExchange implements Closeable {
  private static final String IDENTITY = "identity";
  private static final String GZIP = "gzip";

  private final String method;
  private final StorePath path;
  private final String server;
  private final int bufferSize;
  private final @Nullable SentFile body;
  private final @Nullable PartFile file;
  private final Map<String, String> fields = new LinkedHashMap<>();
  private HttpProtocol protocol = HttpProtocol.HTTP_1_1;
  private int status;
  private String encoding = IDENTITY;
  private long length = -1;
  private @Nullable String digest;
  private @Nullable Gunzip gunzip;
  private long received;

  /**
   * @param server for instance {@code http://127.0.0.1:8080}
   * @param bufferSize bytes that are copied at once
   * @param body null for none
   * @param file gets the body of the response; null if that is of no use
   */
  HttpExchange(
      String method,
      StorePath path,
      String server,
      int bufferSize,
      @Nullable SentFile body,
      @Nullable PartFile file) {
    this.method = method;
    this.path = path;
    this.server = server;
    this.bufferSize = bufferSize;
    this.body = body;
    this.file = file;
  }

  /** Adds a field of the request. */
  HttpExchange with(String field, String value) {
    fields.put(field, value);
    return this;
  }

  /** A response may be a gzip stream. */
  HttpExchange accepting(boolean gzip) {
    // Without the field some clients ask for gzip of their own accord.
    return with("Accept-Encoding", gzip ? GZIP : IDENTITY);
  }

  /** The response has to have the digest of the file, if the server knows it by then. */
  HttpExchange wanting(Digest.@Nullable Algorithm algorithm) {
    return algorithm == null ? this : with(FerryRoutes.WANT_DIGEST, FerryRoutes.wanted(algorithm));
  }

  /** Returns the method of the request. */
  public String method() {
    return method;
  }

  /** Returns the target of the request without the server, percent-encoded. */
  public String path() {
    return FerryRoutes.uriPath(path);
  }

  /** Returns the whole target of the request. */
  public URI uri() {
    return URI.create(server + path());
  }

  /** Returns the fields of the request, without the length of the body. */
  public Map<String, String> fields() {
    return fields;
  }

  /** Returns the body of the request; null if it has none. */
  public @Nullable SentFile body() {
    return body;
  }

  /** Returns the bytes that are copied at once. */
  public int bufferSize() {
    return bufferSize;
  }

  /**
   * The head of the response has arrived.
   *
   * @param field returns the value of a field of the response; null if it has none
   */
  public synchronized void begin(
      HttpProtocol over, int code, Function<String, @Nullable String> field) {
    protocol = over;
    status = code;
    digest = field.apply(FerryRoutes.DIGEST);
    String stated = field.apply("Content-Length");
    length = stated == null || file == null ? -1 : Long.parseLong(stated);
    String coding = field.apply("Content-Encoding");
    encoding = coding == null ? IDENTITY : coding;
    if (file != null && encoding.equals(GZIP)) {
      gunzip = new Gunzip(file, bufferSize);
    }
  }

  /** Takes buffers of the body of the response to their limits. */
  public synchronized void write(ByteBuffer... buffers) throws IOException {
    for (ByteBuffer buffer : buffers) {
      received += buffer.remaining();
    }
    if (file == null || !isSuccess()) {
      return;
    }
    if (gunzip == null) {
      file.write(buffers);
      return;
    }
    for (ByteBuffer buffer : buffers) {
      gunzip.write(buffer);
    }
  }

  private boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  /** Throws if the server has refused the request. */
  synchronized void requireNotRefused() throws FerryException {
    if (status != 0 && !isSuccess()) {
      throw FerryRoutes.refused(path.value(), status);
    }
  }

  /** Checks the whole response. */
  synchronized void finish() throws IOException {
    if (!isSuccess()) {
      throw FerryRoutes.refused(path.value(), status);
    }
    if (length >= 0 && received != length) {
      throw new FerryException(
          ErrorKind.INCOMPLETE, path + ": " + received + " of " + length + " bytes arrived");
    }
    if (gunzip != null) {
      gunzip.finish();
    } else if (file != null && !encoding.equals(IDENTITY)) {
      throw new FerryException(ErrorKind.INCOMPLETE, path + ": unknown encoding: " + encoding);
    }
  }

  /** Returns the digest in the response; null if there is none by the algorithm. */
  synchronized @Nullable Digest digest(Digest.Algorithm algorithm) throws FerryException {
    return FerryRoutes.digest(digest, algorithm);
  }

  synchronized HttpProtocol protocol() {
    return protocol;
  }

  /** Returns how the body of the response was encoded. */
  synchronized String encoding() {
    return encoding;
  }

  /** Returns the bytes of the body of the response as they arrived. */
  synchronized long received() {
    return received;
  }

  @Override
  public synchronized void close() {
    if (gunzip != null) {
      gunzip.close();
    }
  }
}
