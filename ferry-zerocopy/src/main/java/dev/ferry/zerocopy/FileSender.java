package dev.ferry.zerocopy;

import com.google.protobuf.MessageLite;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.CallStreamObserver;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends a region of a file as the messages of a stream, while the transport is ready: at most about
 * half a megabyte waits in memory. Each chunk is read into the buffer that the transport writes to
 * the socket.
 *
 * <p>Set it up, then call {@link #send} at a server or {@link #upload(Channel, MethodDescriptor,
 * StreamObserver) upload} at a client, once. The methods that set it up are for the thread that
 * does this.
 *
 * <p>It reads on the thread on which gRPC reports that the transport is ready. With {@code
 * directExecutor()} that is the event loop: fastest if the file is in the page cache, while a slow
 * disk delays other calls of the same event loop.
 *
 * @param <M> the generated type of the messages
 */
public final class FileSender<M extends MessageLite> implements AutoCloseable {
  /** The size of a chunk in bytes, if none is chosen. */
  public static final int DEFAULT_CHUNK = 64 * 1024;

  /** The largest chunk: with its message it fits into the largest buffer of grpc-java, 1 MiB. */
  public static final int MAX_CHUNK = 1024 * 1024 - 1024;

  private enum State {
    NEW,
    SENDING,
    OVER
  }

  private final BytesField<M> field;
  private final FileChannel file;
  private final FileBytes bytes;
  private final long to;
  private final Object lock = new Object();
  private long position;
  private int chunkSize = DEFAULT_CHUNK;
  private BytesField.Rest<M> rest;
  private @Nullable M first;
  private @Nullable Supplier<M> last;
  private Consumer<ByteBuffer> onBytes = buffer -> {};
  private boolean batching = true;
  private boolean handedOff;
  private boolean closesFile;
  private @Nullable CallStreamObserver<BytesMessage<M>> call;
  private volatile State state = State.NEW;

  FileSender(BytesField<M> field, FileChannel file, long from, long to) {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("not a region of a file: from " + from + " to " + to);
    }
    this.field = field;
    this.file = file;
    this.bytes = new FileBytes(file);
    this.position = from;
    this.to = to;
    M none = field.prototype();
    this.rest = (at, length) -> none;
  }

  /**
   * Sets the bytes of the file in each message but the last.
   *
   * @param size from 1 to {@link #MAX_CHUNK}; {@link #DEFAULT_CHUNK} if this is not called
   */
  public FileSender<M> chunkSize(int size) {
    if (size < 1 || size > MAX_CHUNK) {
      throw new IllegalArgumentException("a chunk has 1 to " + MAX_CHUNK + " bytes, not " + size);
    }
    chunkSize = size;
    return this;
  }

  /** Sets the other fields of each message with a chunk. If this is not called, none is set. */
  public FileSender<M> rest(BytesField.Rest<M> each) {
    rest = each;
    return this;
  }

  /** Sets a message that is sent before the file, for instance with its name and size. */
  public FileSender<M> first(M message) {
    first = message;
    return this;
  }

  /**
   * Sets a message that is sent behind the file, for instance with its checksum.
   *
   * @param message called after the last chunk was read
   */
  public FileSender<M> last(Supplier<M> message) {
    last = message;
    return this;
  }

  /**
   * Sets what sees the bytes before they are sent, in order, for instance a checksum.
   *
   * @param consumer gets read-only buffers, which are not valid after its call
   */
  public FileSender<M> onBytes(Consumer<ByteBuffer> consumer) {
    onBytes = consumer;
    return this;
  }

  /**
   * Sets whether small chunks are passed to the transport many at a time, in one buffer.
   * Interceptors and tracers count that as one message. It is the default, and happens only after a
   * first message of the call was handed off, and never where every call is traced (grpc-census,
   * OpenTelemetry agents that configure all channels).
   */
  public FileSender<M> batching(boolean allowed) {
    batching = allowed;
    return this;
  }

  /** Has the channel of the file closed when the sender ends, in any way. */
  public FileSender<M> closeFile() {
    closesFile = true;
    return this;
  }

  /**
   * Sends the file as the responses of a call, completes the call, and ends with it. If the file
   * cannot be read, the call fails with {@code DATA_LOSS} if it is shorter than expected, with
   * {@code INTERNAL} otherwise; the reason is the cause of the status, which the client does not
   * see.
   *
   * <p>Call this before the method of the service returns. It sets the handlers of the call for
   * readiness and cancellation.
   *
   * @param responses must be a {@link ServerCallStreamObserver}, as those of a service are
   */
  public void send(StreamObserver<BytesMessage<M>> responses) {
    ServerCallStreamObserver<BytesMessage<M>> server =
        (ServerCallStreamObserver<BytesMessage<M>>) responses;
    server.setOnCancelHandler(this::close);
    server.setOnReadyThreshold(ZeroCopy.ON_READY_THRESHOLD);
    start(server);
  }

  /**
   * Returns the observer of a call whose requests are the file. Pass it to {@code
   * ClientCalls.asyncClientStreamingCall} or {@code asyncBidiStreamingCall}, and ignore what they
   * return. If the file cannot be read, the call is cancelled with the reason.
   *
   * @param responses gets what the server responds
   */
  public <R> ClientResponseObserver<BytesMessage<M>, R> upload(StreamObserver<R> responses) {
    return new ClientResponseObserver<>() {
      @Override
      public void beforeStart(ClientCallStreamObserver<BytesMessage<M>> requests) {
        start(requests);
      }

      @Override
      public void onNext(R response) {
        responses.onNext(response);
      }

      @Override
      public void onError(Throwable failure) {
        close();
        responses.onError(failure);
      }

      @Override
      public void onCompleted() {
        close();
        responses.onCompleted();
      }
    };
  }

  /**
   * Calls a method of a server with the file as its requests, without options, and returns at once.
   *
   * @param generated the method of the generated service, to which clients stream
   * @param responses gets what the server responds
   * @throws IllegalArgumentException if clients do not stream to the method
   */
  public <R> void upload(
      Channel channel, MethodDescriptor<M, R> generated, StreamObserver<R> responses) {
    upload(channel, generated, CallOptions.DEFAULT, responses);
  }

  /**
   * Calls a method of a server with the file as its requests, and returns at once. If the file
   * cannot be read, the call is cancelled with the reason.
   *
   * {@snippet class="dev.ferry.zerocopy.ZeroCopySnippets" region="options"}
   *
   * @param generated the method of the generated service, to which clients stream
   * @param options the deadline, the credentials and all else of the call. With a compression, the
   *     messages are copied
   * @param responses gets what the server responds
   * @throws IllegalArgumentException if clients do not stream to the method
   */
  public <R> void upload(
      Channel channel,
      MethodDescriptor<M, R> generated,
      CallOptions options,
      StreamObserver<R> responses) {
    try {
      ClientCall<BytesMessage<M>, R> call = channel.newCall(field.requests(generated), options);
      StreamObserver<BytesMessage<M>> ignored =
          switch (generated.getType()) {
            case CLIENT_STREAMING -> ClientCalls.asyncClientStreamingCall(call, upload(responses));
            case BIDI_STREAMING -> ClientCalls.asyncBidiStreamingCall(call, upload(responses));
            default ->
                throw new IllegalArgumentException(
                    "clients do not stream to method "
                        + generated.getFullMethodName()
                        + "; send one message of BytesField.message");
          };
    } catch (RuntimeException | Error e) {
      // The call does not close the file then.
      close();
      throw e;
    }
  }

  private void start(CallStreamObserver<BytesMessage<M>> observer) {
    if (call != null) {
      throw new IllegalStateException("a sender sends once");
    }
    call = observer;
    observer.setOnReadyHandler(new OneAtATime(() -> sendReady(observer)));
  }

  private void sendReady(CallStreamObserver<BytesMessage<M>> observer) {
    try {
      if (state == State.NEW) {
        state = State.SENDING;
        if (first != null) {
          observer.onNext(field.message(first));
        }
      }
      while (state == State.SENDING && position < to) {
        if (!observer.isReady()) {
          return;
        }
        sendNext(observer);
      }
      if (state == State.SENDING) {
        if (last != null) {
          observer.onNext(field.message(last.get()));
        }
        // Before the call is completed, so that whoever waits for that finds the file closed.
        close();
        observer.onCompleted();
      }
    } catch (IOException | RuntimeException | Error e) {
      // Also an Error, for instance no direct memory: the peer waits for the end of the call.
      fail(observer, e);
    }
  }

  private void sendNext(CallStreamObserver<BytesMessage<M>> observer) throws IOException {
    int most = batching && handedOff ? BytesField.batchSize(chunkSize) : chunkSize;
    int length = (int) Math.min(most, to - position);
    BytesMessage<M> message = field.read(this::read, position, length, chunkSize, rest);
    position += length;
    try {
      observer.onNext(message);
    } catch (RuntimeException | Error e) {
      message.close();
      throw e;
    }
    handedOff =
        message instanceof OutgoingMessage<M> sent
            && sent.wasHandedOff()
            && !ForeignTracers.present();
  }

  private void read(ByteBuffer[] targets, long from) throws IOException {
    ByteBuffer[] filled = new ByteBuffer[targets.length];
    for (int i = 0; i < targets.length; i++) {
      filled[i] = targets[i].asReadOnlyBuffer();
    }
    bytes.readFrom(targets, from);
    for (ByteBuffer buffer : filled) {
      onBytes.accept(buffer);
    }
  }

  private void fail(CallStreamObserver<BytesMessage<M>> observer, Throwable failure) {
    if (state == State.OVER) {
      return;
    }
    close();
    Status status =
        failure instanceof java.io.EOFException
            ? Status.DATA_LOSS.withDescription(
                "the file ended before byte " + to + " was sent; was it changed meanwhile?")
            : Status.INTERNAL.withDescription("the file could not be sent");
    observer.onError(status.withCause(failure).asRuntimeException());
  }

  /** Stops sending. The call itself is not ended. Thread-safe. A second call has no effect. */
  @Override
  public void close() {
    synchronized (lock) {
      if (state == State.OVER) {
        return;
      }
      state = State.OVER;
    }
    if (closesFile) {
      try {
        file.close();
      } catch (IOException e) {
        // A failed close of a file that was only read loses no data.
        return;
      }
    }
  }
}
