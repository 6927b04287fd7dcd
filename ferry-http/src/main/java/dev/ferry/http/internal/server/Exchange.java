package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.RateLimit;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions.Progress;
import dev.ferry.core.internal.Pace;
import dev.ferry.http.internal.MadeBody;
import dev.ferry.http.internal.OutgoingBody;
import dev.ferry.wire.internal.AccessRules;
import dev.ferry.wire.internal.DiskSpeed;
import dev.ferry.wire.internal.FileOperations;
import dev.ferry.wire.internal.RunningRequest;
import dev.ferry.wire.internal.contract.BasePath;
import dev.ferry.wire.internal.contract.ByteRange;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2StreamChannel;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request and its response. It is made once for a request and passed to all that handle it, which
 * respond by it. {@link ConnectionHandler} has what outlives a request, the state of the
 * connection. Only the event loop uses an exchange; a worker may read what describes the request.
 */
public final class Exchange {
  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

  private final ConnectionHandler connection;
  private final ChannelHandlerContext context;
  private final HttpRequest http;
  private final FileRequest request;
  private @Nullable Route route;
  private @Nullable RunningRequest running;
  private @Nullable PortState port;
  private @Nullable FileOperations files;
  private @Nullable StorePath path;

  /** Whether it only reads files. */
  private boolean reads;

  /** Pieces of work on other threads whose results are awaited. */
  private int pending;

  private @Nullable Pace pace;
  private @Nullable Work work;

  /** Completed if the download is cut; null if nothing is to be told. */
  private @Nullable CompletableFuture<Boolean> cut;

  /** Receives the body of a request. */
  public interface Body {
    /**
     * Receives the next buffer of the body and takes ownership of it.
     *
     * @return whether more may be read before {@link Exchange#resume}
     */
    boolean receive(ByteBuf buffer, boolean last);

    /** Receives the trailer section, before the last buffer. It may be empty. */
    default void trailers(HttpHeaders fields) {}

    /** Called if the request will not be complete because its client is gone. */
    void abort();

    /**
     * Called if the request will not be complete but its client is still connected.
     *
     * @param why one line for the client
     * @return whether this object sends the response; if false, the request is refused
     */
    default boolean failed(FerryException why) {
      abort();
      return false;
    }
  }

  /** What goes on after the handler has returned, until there is a response or it was sent. */
  public interface Work {
    /** Returns whether the client waits for the server and not the reverse. */
    default boolean busy() {
      return false;
    }

    /**
     * Returns whether the client has all that there is of a response, of which more follows, since
     * this server makes the next bytes.
     */
    default boolean holdsBack() {
      return false;
    }

    /**
     * Returns whether it takes long, and is to end if the client is gone. A client that has ended
     * its side may be.
     */
    default boolean worksInVain() {
      return false;
    }

    /**
     * Ends because the server stops.
     *
     * @return whether the client learns why; if false, the response is cut off
     */
    default boolean stop(FerryException why) {
      return false;
    }

    /** Called when more, or no more, may be written. */
    default void writable() {}

    /** Called when the connection is gone. */
    default void gone() {}

    /** Called when the response was sent, or its connection is gone. */
    default void over() {}
  }

  /** Parses a request, whose URI then lacks the base path. */
  Exchange(
      ConnectionHandler connection,
      ChannelHandlerContext context,
      HttpRequest http,
      BasePath base) {
    this.connection = connection;
    this.context = context;
    this.http = http.setUri(FileRequest.without(base, http.uri()));
    this.request = FileRequest.of(http);
  }

  /** Returns the context of the handler of its connection, or of its stream of HTTP/2. */
  public ChannelHandlerContext context() {
    return context;
  }

  /** Returns the request as it came. */
  public HttpRequest http() {
    return http;
  }

  /** Returns the parsed head of the request. */
  public FileRequest request() {
    return request;
  }

  /** Returns the method of the request. */
  public HttpMethod method() {
    return http.method();
  }

  /** Returns whether the request is a {@code HEAD}, whose response has no body. */
  boolean isHead() {
    return http.method().equals(HttpMethod.HEAD);
  }

  boolean isHttp2() {
    return context.channel() instanceof Http2StreamChannel;
  }

  /** Returns the access rules of the port, which know the names of the server. */
  AccessRules rules() {
    return connection.rules();
  }

  /** Returns the path below which clients know the server. */
  BasePath base() {
    return connection.rules().basePath();
  }

  /** Sets what reports it. */
  void running(RunningRequest report) {
    running = report;
  }

  /** Returns what reports it. A service that reports its requests itself has none here. */
  RunningRequest running() {
    return Objects.requireNonNull(running);
  }

  /** Sets what it is for; null if its resource does not have its method. */
  void route(@Nullable Route found) {
    route = found;
  }

  /** Returns what it is for; null if its resource does not have its method. */
  @Nullable Route route() {
    return route;
  }

  /**
   * Sets what it may use.
   *
   * @param use of the caller
   * @param only whether it only reads files
   */
  void use(PortState of, FileOperations use, boolean only) {
    port = of;
    files = use;
    reads = only;
  }

  /** Returns what its caller may do. */
  FileOperations files() {
    return Objects.requireNonNull(files);
  }

  /** Returns the store of its caller. */
  FileStore store() {
    return files().store();
  }

  /** Returns what it shares with the other requests of the port. */
  PortState port() {
    return Objects.requireNonNull(port);
  }

  /** Sets the file or directory that it is about. */
  void path(StorePath which) {
    path = which;
    running().path(which.value());
  }

  /** Returns the file or directory that it is about. */
  StorePath path() {
    return Objects.requireNonNull(path);
  }

  /**
   * Responds with a complete response. Problem details become a page if the client is a browser.
   */
  public void respond(FullHttpResponse response) {
    connection.respond(context, response);
  }

  /** Responds before the body was received, whose rest is not waited for. */
  public void respondEarly(FullHttpResponse response) {
    connection.respondEarly(context, response);
  }

  /** Responds with the problem details of a failure. */
  public void refuse(Throwable failure) {
    connection.refuse(context, failure);
  }

  /**
   * Responds with a complete response as it is.
   *
   * @param bytes of a file that it has
   */
  void send(FullHttpResponse response, long bytes) {
    connection.send(context, response, bytes);
  }

  /** Responds with a head alone. */
  void sendHead(HttpResponse head) {
    if (head instanceof FullHttpResponse whole) {
      respondEarly(whole);
      return;
    }
    addFields(head);
    context.write(head, context.voidPromise());
    context
        .writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT)
        .addListener(f -> responded(((ChannelFuture) f).cause()));
  }

  /**
   * Responds with a body that workers read or make meanwhile.
   *
   * @param bufferSize bytes of one buffer, unless the caller has a limit
   * @param paced whether it keeps to that limit
   */
  void send(HttpResponse head, OutgoingBody body, int bufferSize, boolean paced) {
    FileOperations own = files();
    pace = paced ? own.pace(own.workers()) : null;
    connection.closeIfInVain(context);
    begin(head);
    int size = paced ? own.chunk(bufferSize) : bufferSize;
    start(
        new BufferedDownload(
            context, body, size, own.workers(), pace, own.request()::bytes, new Ending()));
  }

  /**
   * Responds with a body that is made meanwhile. Its end ends the connection if the client knows no
   * chunks.
   */
  void sendMade(HttpResponse head, MadeBody body, int bufferSize, boolean paced) {
    if (!HttpUtil.isTransferEncodingChunked(head)) {
      endWithResponse();
    }
    send(head, body, bufferSize, paced);
  }

  /** Responds with a part of a file by {@code sendfile}. */
  void sendFile(HttpResponse head, OpenedFile opened) {
    ByteRange part = opened.part();
    Progress progress = files().progress(part.first());
    begin(head);
    RateLimit limit = running().rateLimit();
    long slice = limit == null ? Long.MAX_VALUE : limit.chunkSize();
    Pace paced = paced();
    connection.closeIfInVain(context);
    start(new PlainDownload(context, opened.file(), part, slice, paced, progress, new Ending()));
  }

  private void begin(HttpResponse head) {
    addFields(head);
    connection.discardBody(context);
    context.write(head, context.voidPromise());
  }

  private void start(BodySender body) {
    work = body;
    body.start();
  }

  /** Ends the exchange with its download. */
  private final class Ending implements BodySender.Listener {
    @Override
    public void sent() {
      work = null;
      responded(null);
    }

    @Override
    public void failed(Throwable failure) {
      // Only closing the connection shows the client that the body is incomplete.
      LOG.debug("response cut: {}", failure.toString());
      if (failure instanceof FerryException e) {
        running().end(e.kind());
      }
      context.close();
    }
  }

  /** Returns the pace of a transfer that begins on the event loop; null if there is no limit. */
  @Nullable Pace paced() {
    pace = files().pace(context.executor());
    return pace;
  }

  /** Completes a future if the download that begins is cut. */
  void tellIfCut(CompletableFuture<Boolean> future) {
    cut = future;
  }

  /**
   * Adds header fields to the head of a response that its handler sends: its date, whether the
   * connection persists, and which pages may read the response. {@link #responded} must follow.
   */
  public void addFields(HttpResponse head) {
    connection.addFields(head);
  }

  /** Has the connection end with the response whose head is to be written. */
  public void endWithResponse() {
    connection.endWithResponse();
  }

  /**
   * Has the connection end with the response whose head is to be written, unless the whole body was
   * received, or its rest is small.
   */
  public void endUnlessRead() {
    connection.endUnlessRead();
  }

  /**
   * Called after a response was sent by its handler.
   *
   * @param failure the cause if it could not be sent, which closes the connection; otherwise null
   */
  public void responded(@Nullable Throwable failure) {
    connection.responded(context, failure);
  }

  /** Starts to receive the body of the request. */
  public void receive(Body body) {
    expect(body);
    resume();
  }

  /** Prepares to receive the body of the request from {@link #resume} on. */
  void expect(Body body) {
    connection.expectBody(context, http, body);
  }

  /**
   * Reserves memory for the body, until the exchange ends.
   *
   * @return whether the share of the caller permits it
   */
  boolean reserve(int bytes) {
    return connection.reserve(context, bytes);
  }

  /** Continues to receive the body. */
  public void resume() {
    connection.resume(context);
  }

  /**
   * Ends the delivery of the body, because it was received or is no longer needed. Further data is
   * discarded.
   */
  public void bodyEnded() {
    connection.bodyEnded();
  }

  /** Responds with what a worker makes. */
  void answer(Retries.Call<FullHttpResponse> making) {
    answer(files().workers(), making);
  }

  /** Responds with what an executor makes. */
  void answer(Executor executor, Retries.Call<FullHttpResponse> making) {
    offload(executor, making, this::respondEarly, response -> {});
  }

  /**
   * Does work that takes as long as a few system calls: on the event loop, or on a worker if the
   * store is slow, or the connection has had its share of the event loop.
   */
  <T> void step(Retries.Call<T> step, Consumer<T> then, Consumer<T> discard) {
    DiskSpeed speed = port().stores().speed();
    Retries.Call<T> timed =
        () -> {
          long begun = speed.begin();
          try {
            return step.run();
          } finally {
            speed.ended(begun);
          }
        };
    if (!connection.stepsOnLoop(speed.isFast())) {
      offload(timed, then, discard);
      return;
    }
    T result;
    try {
      result = timed.run();
    } catch (FerryException | RuntimeException | Error e) {
      refuse(e);
      return;
    }
    Offload.accept(files().workers(), context, result, then, discard);
  }

  /**
   * Does work on a worker. A failure of it is the response.
   *
   * @param then receives the result on the event loop if the connection is still open
   * @param discard receives the result, on a worker, if it is closed by then
   */
  <T> void offload(Retries.Call<T> blocking, Consumer<T> then, Consumer<T> discard) {
    offload(files().workers(), blocking, then, discard);
  }

  private <T> void offload(
      Executor executor, Retries.Call<T> blocking, Consumer<T> then, Consumer<T> discard) {
    pending++;
    Offload.run(
        executor,
        context,
        () -> {
          if (reads && !context.channel().isActive()) {
            // A client could reset its requests, and have the server work for each.
            throw new FerryException(ErrorKind.CANCELLED, "the client has gone");
          }
          return blocking.run();
        },
        result -> {
          pending--;
          then.accept(result);
        },
        discard,
        failure -> {
          pending--;
          refuse(failure);
        });
  }

  /** Waits for a result that may take long. A failure of it is the response. */
  <T> void await(CompletableFuture<T> result, Consumer<T> then) {
    work = new Awaited(result);
    connection.closeIfInVain(context);
    CompletableFuture<T> unused =
        result.whenComplete(
            (value, failure) ->
                Offload.onLoop(
                    context,
                    () -> {
                      work = null;
                      if (failure == null) {
                        then.accept(value);
                      } else if (!result.isCancelled()) {
                        refuse(failure);
                      }
                    }));
  }

  private record Awaited(CompletableFuture<?> result) implements Work {
    @Override
    public boolean busy() {
      return true;
    }

    @Override
    public boolean worksInVain() {
      return true;
    }

    @Override
    public boolean stop(FerryException why) {
      return result.completeExceptionally(why);
    }

    @Override
    public void gone() {
      result.cancel(false);
    }
  }

  /** Sets what goes on from now; null if nothing does. */
  public void goesOnWith(@Nullable Work begun) {
    work = begun;
  }

  boolean busy() {
    return pending > 0 || (work != null && work.busy());
  }

  boolean holdsBack() {
    return (pace != null && pace.isWaiting()) || (work != null && work.holdsBack());
  }

  boolean worksInVain() {
    boolean changes = files != null && !reads;
    return changes || pace != null || (work != null && work.worksInVain());
  }

  boolean stop(FerryException why) {
    return work != null && work.stop(why);
  }

  void writable() {
    if (work != null) {
      work.writable();
    }
  }

  void gone() {
    if (work != null) {
      work.gone();
      if (cut != null) {
        cut.complete(true);
      }
    }
  }

  void over() {
    Work ended = work;
    work = null;
    if (ended != null) {
      ended.over();
    }
  }
}
