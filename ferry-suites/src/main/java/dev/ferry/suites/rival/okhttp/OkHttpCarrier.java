package dev.ferry.suites.rival.okhttp;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileSink;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.Call;
import dev.ferry.http.internal.CopyBuffers;
import dev.ferry.http.internal.FileBody;
import dev.ferry.http.internal.FileTransferable;
import dev.ferry.http.internal.HttpCarrier;
import dev.ferry.http.internal.IncomingResponse;
import dev.ferry.http.internal.OutgoingRequest;
import dev.ferry.http.internal.Payload;
import dev.ferry.suites.rival.EndingStream;
import dev.ferry.suites.rival.InterruptRegion;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import okhttp3.Connection;
import okhttp3.ConnectionPool;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/**
 * Files over OkHttp, HTTP/1.1 or HTTP/2 by prior knowledge, on the caller's thread.
 *
 * <p>OkHttp's timeouts are off: they begin anew with each read or write and would end a long wait
 * for a digest or a disk; the transfer's own deadline holds. After an interrupt the calling
 * thread's interrupt status is set. Thread-safe.
 */
public final class OkHttpCarrier extends HttpCarrier {
  private static final int TUNED_IDLE_CONNECTIONS = 64;
  private static final int TUNED_KEEP_MINUTES = 5;

  private final CopyBuffers buffers;
  private final ConnectionPool pool;
  private final OkHttpClient client;

  /**
   * Connects, lazily, in plain text, with OkHttp's defaults and copies of the chunk size by way of
   * its streams. Tuned, it is as fast as it gets: one client and one pool of connections for all
   * transfers, as its documentation advises, which keeps as many idle ones as may run at once; no
   * second attempts; and copies of 256 KiB at least between its buffers and direct ones that are
   * reused, as its {@code BufferedSource} and {@code BufferedSink} take. Its windows of HTTP/2, 16
   * MiB, and its segments, 8 KiB, are fixed.
   *
   * @param host a name or an address
   * @param tuned whether it is set up for speed
   */
  public OkHttpCarrier(String host, int port, HttpProtocol protocol, boolean tuned) {
    super(host, port, "okhttp", tuned);
    buffers = tuned ? CopyBuffers.direct() : CopyBuffers.arrays();
    pool =
        tuned
            ? new ConnectionPool(TUNED_IDLE_CONNECTIONS, TUNED_KEEP_MINUTES, TimeUnit.MINUTES)
            : new ConnectionPool();
    OkHttpClient.Builder builder =
        new OkHttpClient.Builder()
            .connectionPool(pool)
            .addNetworkInterceptor(OkHttpCarrier::noteSocket)
            .readTimeout(Duration.ZERO)
            .writeTimeout(Duration.ZERO)
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(false)
            .protocols(
                List.of(
                    protocol == HttpProtocol.H2C
                        ? Protocol.H2_PRIOR_KNOWLEDGE
                        : Protocol.HTTP_1_1));
    if (tuned) {
      builder.retryOnConnectionFailure(false);
    }
    client = builder.build();
  }

  /**
   * A request that can be given up. Over HTTP/2, OkHttp's cancel resets the stream alone, and a
   * thread that writes to a connection whose peer has stopped reading would wait for ever.
   */
  private static final class Sending {
    private volatile okhttp3.@Nullable Call call;
    private volatile @Nullable Socket socket;

    void cancel() {
      okhttp3.Call sent = call;
      if (sent != null) {
        sent.cancel();
      }
      Socket used = socket;
      if (used != null) {
        try {
          used.close();
        } catch (IOException e) {
          // It is of no use any more.
          return;
        }
      }
    }
  }

  private static Response noteSocket(Interceptor.Chain chain) throws IOException {
    Sending sending = chain.request().tag(Sending.class);
    Connection connection = chain.connection();
    if (sending != null
        && connection != null
        && connection.protocol() == Protocol.H2_PRIOR_KNOWLEDGE
        && "PUT".equals(chain.request().method())) {
      sending.socket = connection.socket();
    }
    return chain.proceed(chain.request());
  }

  @Override
  protected IncomingResponse send(Call call, OutgoingRequest outgoing) throws FerryException {
    Sending sending = new Sending();
    Request.Builder request =
        new Request.Builder()
            .url("http://" + server() + outgoing.rawPath())
            .tag(Sending.class, sending);
    // Without the field OkHttp requests gzip, and decodes it.
    request.header("Accept-Encoding", "identity");
    outgoing.fields().forEach(request::header);
    Body body = outgoing.payload() == null ? null : new Body(outgoing.payload());
    // OkHttp sends no PUT without a body.
    boolean empty = body == null && outgoing.method().equals("PUT");
    okhttp3.Call sent =
        client.newCall(
            request
                .method(outgoing.method(), empty ? RequestBody.create(new byte[0]) : body)
                .build());
    sending.call = sent;
    InterruptRegion region = new InterruptRegion(sending::cancel);
    if (body != null) {
      body.region = region;
    }
    try {
      call.during(sending::cancel);
      region.enter();
      Response response = sent.execute();
      BufferedSource source = response.body().source();
      InputStream arriving =
          tuned()
              ? new DirectStream(source, sent::cancel, call)
              : new EndingStream(source.inputStream(), sent::cancel);
      return new IncomingResponse(response.code(), response::header, protocol(response), arriving);
    } catch (IOException | IllegalStateException e) {
      throw call.failure(e, ErrorKind.UNAVAILABLE);
    } finally {
      region.leave();
    }
  }

  private static HttpProtocol protocol(Response response) {
    Protocol protocol = response.protocol();
    return protocol == Protocol.H2_PRIOR_KNOWLEDGE || protocol == Protocol.HTTP_2
        ? HttpProtocol.H2C
        : HttpProtocol.HTTP_1_1;
  }

  private final class Body extends RequestBody {
    private final Payload payload;
    @Nullable InterruptRegion region;

    Body(Payload payload) {
      this.payload = payload;
    }

    @Override
    public @Nullable MediaType contentType() {
      // It stands among the fields.
      return null;
    }

    @Override
    public long contentLength() {
      return payload.length();
    }

    /** It is not sent again on another connection. */
    @Override
    public boolean isOneShot() {
      return true;
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      ByteBuffer buffer = buffers.take(payload.bufferSize());
      try (FileBody body = payload.open()) {
        for (boolean last = false; !last; ) {
          last = body.fill(buffer.clear());
          if (region != null) {
            region.enter();
          }
          buffer.flip();
          if (buffer.hasArray()) {
            sink.write(buffer.array(), 0, buffer.limit());
          } else {
            sink.write(buffer);
          }
        }
      } finally {
        buffers.give(buffer);
      }
    }
  }

  /** A body that is copied to the file through a direct buffer. */
  private final class DirectStream extends EndingStream implements FileTransferable {
    private final BufferedSource source;
    private final Call call;

    DirectStream(BufferedSource source, Runnable cancel, Call call) {
      super(source.inputStream(), cancel);
      this.call = call;
      this.source = source;
    }

    @Override
    public boolean writeNext(FileSink sink) throws IOException {
      ByteBuffer buffer = buffers.take(TUNED_BYTES);
      try {
        boolean more = fill(buffer);
        if (buffer.flip().hasRemaining()) {
          sink.write(buffer);
        }
        return more;
      } finally {
        buffers.give(buffer);
      }
    }

    private boolean fill(ByteBuffer buffer) throws IOException {
      region.enter();
      try {
        while (buffer.hasRemaining()) {
          if (source.read(buffer) < 0) {
            ended();
            return false;
          }
          call.moved();
        }
        return true;
      } finally {
        region.leave();
      }
    }
  }

  @Override
  protected void release() {
    client.dispatcher().executorService().shutdown();
    pool.evictAll();
  }
}
