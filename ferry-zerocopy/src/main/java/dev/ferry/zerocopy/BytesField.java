package dev.ferry.zerocopy;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.UnsafeByteOperations;
import dev.ferry.zerocopy.FieldScanner.Place;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A {@code bytes} field of a generated message that is sent and received without copies. It
 * converts the methods of a generated service whose messages have the field, and makes messages to
 * send. On the wire nothing changes: the other end may be any gRPC implementation, in any language.
 *
 * {@snippet class="dev.ferry.zerocopy.ZeroCopySnippets" region="field"}
 *
 * <p>The methods of a service that have the field send and receive files with one call each, or
 * {@link BytesMessage}s one by one.
 *
 * {@snippet class="dev.ferry.zerocopy.ZeroCopySnippets" region="handlers"}
 *
 * <p>The field is plain, optional or in a {@code oneof}, at the top level of its message. The other
 * fields of the message are sent and received by the generated code, and should be small. Both
 * runtimes of protobuf work, full and lite, and so does {@code DynamicMessage}, by its default
 * instance of a descriptor.
 *
 * <p>Where grpc-java does not permit it - compression, the in-process and the OkHttp transport,
 * Armeria, a server or channel that {@link ZeroCopy} has not set up, messages of over 1 MiB - the
 * same calls copy, and {@link #copies} counts that.
 *
 * <p>Thread-safe.
 *
 * @param <M> the generated type of the message
 */
public final class BytesField<M extends MessageLite> {
  private static final int TYPE_BITS = 3;
  private static final int PREFIX = HandOffAllocator.PREFIX;
  private static final byte[] NO_BYTES = {};
  private static final int BATCH_BYTES = 256 * 1024;

  /** Messages in one buffer. A scattering read takes at most 1024 buffers (IOV_MAX). */
  private static final int BATCH_MESSAGES = 64;

  private final M prototype;
  private final int number;
  private final int tag;
  private final boolean alone;
  private final ByteBufAllocator pool;
  private final BytesDecoder<M> decoder;
  private final CopyCounters copies = new CopyCounters();

  /**
   * Reads bytes to send.
   *
   * @param <E> the exception of a failure
   */
  @FunctionalInterface
  public interface Source<E extends Exception> {
    /**
     * Fills buffers, in order, with the bytes from a position on. Their positions are zero.
     *
     * @throws E if there are fewer bytes, or if they cannot be read
     */
    void readFully(ByteBuffer[] targets, long position) throws E;
  }

  /**
   * Returns the message that a part of the bytes is sent with.
   *
   * @param <M> the generated type of the message
   */
  @FunctionalInterface
  public interface Rest<M extends MessageLite> {
    /**
     * Returns a message whose {@code bytes} field is not set.
     *
     * @param position of the first byte of the part
     * @param length of the part in bytes
     */
    M at(long position, int length);
  }

  private BytesField(M prototype, int number, boolean alone, ByteBufAllocator pool) {
    this.prototype = prototype;
    this.number = number;
    this.tag = number << TYPE_BITS | FieldScanner.LENGTH_DELIMITED;
    this.alone = alone;
    this.pool = pool;
    this.decoder = new BytesDecoder<>(this);
  }

  /**
   * Returns a field, whose buffers come from a pool that all such fields share.
   *
   * @param prototype the default instance of the message, {@code Part.getDefaultInstance()}
   * @param number the number of the field, {@code Part.DATA_FIELD_NUMBER}
   * @throws IllegalArgumentException if the message has no such field, or if it is repeated or not
   *     of type {@code bytes}
   */
  public static <M extends MessageLite> BytesField<M> of(M prototype, int number) {
    return of(prototype, number, SharedEnds.sendPool());
  }

  /**
   * Returns a field.
   *
   * @param prototype the default instance of the message, {@code Part.getDefaultInstance()}
   * @param number the number of the field, {@code Part.DATA_FIELD_NUMBER}
   * @param pool the pool of the direct buffers into which files are read
   * @throws IllegalArgumentException if the message has no such field, or if it is repeated or not
   *     of type {@code bytes}
   */
  public static <M extends MessageLite> BytesField<M> of(
      M prototype, int number, ByteBufAllocator pool) {
    return new BytesField<>(prototype, number, FieldKind.isAlone(prototype, number), pool);
  }

  /** Returns the counts of the messages with this field that were copied and that were not. */
  public CopyCounters copies() {
    return copies;
  }

  /** Returns the method with requests that have this field. All else of it stays. */
  public <R> MethodDescriptor<BytesMessage<M>, R> requests(MethodDescriptor<M, R> generated) {
    return generated.toBuilder(
            new BytesMarshaller<>(this, generated.getFullMethodName(), true),
            generated.getResponseMarshaller())
        .build();
  }

  /** Returns the method with responses that have this field. All else of it stays. */
  public <Q> MethodDescriptor<Q, BytesMessage<M>> responses(MethodDescriptor<Q, M> generated) {
    return generated.toBuilder(
            generated.getRequestMarshaller(),
            new BytesMarshaller<>(this, generated.getFullMethodName(), false))
        .build();
  }

  /**
   * Returns a method of a service whose handler receives this field, for {@link ZeroCopy#service}.
   *
   * @param generated a method to which clients stream
   * @param handler as that of the generated service; another name than the generated one has, since
   *     Java does not permit two methods that differ in type arguments alone
   * @throws IllegalArgumentException if clients do not stream to the method
   */
  public <R> ServerMethodDefinition<BytesMessage<M>, R> requests(
      MethodDescriptor<M, R> generated,
      ServerCalls.ClientStreamingMethod<BytesMessage<M>, R> handler) {
    MethodDescriptor<BytesMessage<M>, R> method = requests(generated);
    return switch (method.getType()) {
      case CLIENT_STREAMING ->
          ServerMethodDefinition.create(method, ServerCalls.asyncClientStreamingCall(handler));
      case BIDI_STREAMING ->
          ServerMethodDefinition.create(
              method, ServerCalls.asyncBidiStreamingCall(handler::invoke));
      default -> throw unfit(method, "clients do not stream to it");
    };
  }

  /**
   * Returns a method of a service whose handler sends this field, for {@link ZeroCopy#service}.
   *
   * @param generated a method to which clients do not stream
   * @param handler as that of the generated service; another name than the generated one has, since
   *     Java does not permit two methods that differ in type arguments alone
   * @throws IllegalArgumentException if clients stream to the method
   */
  public <Q> ServerMethodDefinition<Q, BytesMessage<M>> responses(
      MethodDescriptor<Q, M> generated,
      ServerCalls.ServerStreamingMethod<Q, BytesMessage<M>> handler) {
    MethodDescriptor<Q, BytesMessage<M>> method = responses(generated);
    return switch (method.getType()) {
      case SERVER_STREAMING ->
          ServerMethodDefinition.create(method, ServerCalls.asyncServerStreamingCall(handler));
      case UNARY ->
          ServerMethodDefinition.create(method, ServerCalls.asyncUnaryCall(handler::invoke));
      default -> throw unfit(method, "clients stream to it");
    };
  }

  private static IllegalArgumentException unfit(MethodDescriptor<?, ?> method, String reason) {
    return new IllegalArgumentException(
        "method "
            + method.getFullMethodName()
            + " has no handler of this kind, since "
            + reason
            + "; use ServerMethodDefinition.create with a handler of ServerCalls");
  }

  /**
   * Returns a marshaller of messages with this field, for methods whose other messages are not
   * generated ones, or for a marshaller around it. Its {@code parse} throws {@link
   * io.grpc.StatusRuntimeException} if a message cannot be read.
   *
   * <p>The calls must never be repeated: retries and hedging are off, or a server sends.
   *
   * @param method the full method name, for failures
   */
  public MethodDescriptor.Marshaller<BytesMessage<M>> marshaller(String method) {
    return new BytesMarshaller<>(this, method, false);
  }

  /**
   * Returns a message that is encoded in a buffer, for instance one that was decompressed. Its
   * bytes are views of the buffer.
   *
   * @param encoded the readable bytes are the whole message, without a prefix; it is owned by the
   *     message, also if this method throws
   * @throws InvalidProtocolBufferException if that is no such message
   */
  public BytesMessage<M> decode(ByteBuf encoded) throws InvalidProtocolBufferException {
    return decoder.decode(encoded);
  }

  /**
   * Returns the length in bytes of an encoded message, without its prefix, that has this field
   * alone.
   *
   * @param length bytes of the field
   */
  public int encodedLength(int length) {
    return headerSize(NO_BYTES, length) + length;
  }

  /** Returns a message to send as generated code sends it, with or without the field. */
  public BytesMessage<M> message(M message) {
    return new PlainMessage<>(message);
  }

  /**
   * Returns a message to send whose bytes are the readable bytes of a buffer. Direct buffers are
   * sent as they are, and must not be changed any more; others, and those under 4 KiB, are copied.
   *
   * @param rest all other fields of the message
   * @param bytes the message takes ownership of it, also if this method throws
   * @throws IllegalArgumentException if {@code rest} has bytes in this field
   */
  public BytesMessage<M> message(M rest, ByteBuf bytes) {
    try {
      byte[] others = encoded(rest);
      int length = bytes.readableBytes();
      int payload = PREFIX + headerSize(others, length);
      ByteBuf frame;
      // Small buffers are copied: that is less work, and the output of a codec could get into them.
      if (bytes.isDirect() && payload + length > HandOffAllocator.FIRST_BUFFER) {
        ByteBuf header = pool.directBuffer(payload, payload);
        writeHeader(header, 0, others, length);
        CompositeByteBuf both = new CompositeByteBuf(pool, true, Integer.MAX_VALUE);
        both.addComponent(true, header.writerIndex(payload));
        both.addComponent(true, bytes.retain());
        frame = both.writerIndex(0);
      } else {
        frame = pool.directBuffer(payload + length, payload + length);
        writeHeader(frame, 0, others, length);
        frame.setBytes(payload, bytes, bytes.readerIndex(), length);
      }
      return new OutgoingMessage<>(this, rest, frame, payload, payload + length, 1);
    } finally {
      bytes.release();
    }
  }

  /**
   * Returns a message to send with bytes that are copied from an array, once, as the socket needs
   * them in a direct buffer.
   *
   * @param rest all other fields of the message
   * @throws IllegalArgumentException if {@code rest} has bytes in this field
   */
  public BytesMessage<M> message(M rest, byte[] bytes) {
    return message(rest, Unpooled.wrappedBuffer(bytes));
  }

  /**
   * Returns a message to send whose bytes are those between the positions and limits of buffers, in
   * order. Direct buffers are sent as they are, and must not be changed before {@code sent} has
   * run; others, and those under 4 KiB, are copied.
   *
   * @param rest all other fields of the message
   * @param sent runs once, on any thread, when the buffers are no longer used: the bytes were given
   *     to the socket, the call has ended, or the message was closed
   * @throws IllegalArgumentException if {@code rest} has bytes in this field
   */
  public BytesMessage<M> message(M rest, Runnable sent, ByteBuffer... bytes) {
    ByteBuf[] parts = new ByteBuf[bytes.length];
    Arrays.setAll(parts, i -> Unpooled.wrappedBuffer(bytes[i]));
    return message(rest, new OwningByteBuf(sent, parts));
  }

  /**
   * Returns a message to send with bytes that are read from a file into the buffer that is sent.
   *
   * @param rest all other fields of the message
   * @param position the first byte in the file; the position of the channel stays as it is
   * @param length the number of bytes
   * @throws IOException if the file cannot be read, or if it has fewer bytes
   * @throws IllegalArgumentException if {@code rest} has bytes in this field
   */
  public BytesMessage<M> message(M rest, FileChannel file, long position, int length)
      throws IOException {
    return read(new FileBytes(file)::readAt, position, length, Math.max(1, length), (p, n) -> rest);
  }

  /**
   * Returns a message to send with bytes that are read into the buffer that is sent. If there are
   * more bytes than a chunk, the message has several complete messages in one buffer, each with its
   * own chunk: the costs of a message in grpc-java and of a system call are paid once for all. They
   * can only be handed off, and interceptors and tracers see the first of them only.
   *
   * @param position the first byte
   * @param length the number of bytes
   * @param chunkSize the bytes of each message but the last
   * @param rest all other fields of each message
   * @throws E if the source throws it
   * @throws IllegalArgumentException if a message of {@code rest} has bytes in this field
   */
  public <E extends Exception> BytesMessage<M> read(
      Source<E> source, long position, int length, int chunkSize, Rest<M> rest) throws E {
    byte[][] others = new byte[messages(length, chunkSize)][];
    M first = rest.at(position, Math.min(chunkSize, length));
    for (int i = 0; i < others.length; i++) {
      int from = i * chunkSize;
      int n = Math.min(chunkSize, length - from);
      others[i] = encoded(i == 0 ? first : rest.at(position + from, n));
    }
    return outgoing(
        first, fill(source, position, length, chunkSize, others), length, chunkSize, others);
  }

  /**
   * Returns a message to send as {@link #read(Source, long, int, int, Rest)}, of messages that have
   * no other fields.
   *
   * @throws E if the source throws it
   */
  public <E extends Exception> BytesMessage<M> read(
      Source<E> source, long position, int length, int chunkSize) throws E {
    ByteBuf frame = frames(source, position, length, chunkSize);
    return outgoing(prototype, frame, length, chunkSize, null);
  }

  /**
   * Returns a buffer with encoded messages that have this field alone, each behind its prefix: a
   * zero byte, and its length in four bytes. It is for those who compress messages, or frame them
   * without grpc-java.
   *
   * @param position the first byte
   * @param length the number of bytes
   * @param chunkSize the bytes of each message but the last
   * @return a buffer of exactly this capacity, whose indexes are zero; the user releases it
   * @throws E if the source throws it
   */
  public <E extends Exception> ByteBuf frames(
      Source<E> source, long position, int length, int chunkSize) throws E {
    return fill(source, position, length, chunkSize, null);
  }

  /**
   * Returns how many bytes to read at once in chunks of a size: whole chunks, few enough that they
   * are still in the cache of the processor when they are sent.
   *
   * @param chunkSize the bytes of a chunk, at least 1
   */
  public static int batchSize(int chunkSize) {
    return chunkSize * Math.max(1, Math.min(BATCH_MESSAGES, BATCH_BYTES / chunkSize));
  }

  private static int messages(int length, int chunkSize) {
    return Math.max(1, (length + chunkSize - 1) / chunkSize);
  }

  private OutgoingMessage<M> outgoing(
      M first, ByteBuf frame, int length, int chunkSize, byte @Nullable [][] others) {
    int firstLength = Math.min(chunkSize, length);
    int payload = PREFIX + headerSize(others == null ? NO_BYTES : others[0], firstLength);
    return new OutgoingMessage<>(
        this, first, frame, payload, payload + firstLength, messages(length, chunkSize));
  }

  /**
   * @param others the other fields of each message, encoded; null if they have none
   */
  private <E extends Exception> ByteBuf fill(
      Source<E> source, long position, int length, int chunkSize, byte @Nullable [][] others)
      throws E {
    int count = messages(length, chunkSize);
    int bytes = length;
    for (int i = 0; i < count; i++) {
      int n = Math.min(chunkSize, length - i * chunkSize);
      bytes += PREFIX + headerSize(others == null ? NO_BYTES : others[i], n);
    }
    ByteBuf frame = pool.directBuffer(bytes, bytes);
    try {
      source.readFully(payloads(frame, count, length, chunkSize, others), position);
      return frame;
    } catch (Throwable e) {
      frame.release();
      throw e;
    }
  }

  /** Writes prefixes and headers, and returns views of the places of the chunks. */
  private ByteBuffer[] payloads(
      ByteBuf frame, int count, int length, int chunkSize, byte @Nullable [][] others) {
    ByteBuffer[] places = new ByteBuffer[count];
    int at = 0;
    for (int i = 0; i < count; i++) {
      int n = Math.min(chunkSize, length - i * chunkSize);
      at = writeHeader(frame, at, others == null ? NO_BYTES : others[i], n);
      places[i] = frame.internalNioBuffer(at, n).slice();
      at += n;
    }
    return places;
  }

  /**
   * Returns a sender of a region of a file.
   *
   * @param file a file that nobody else uses before the sender is closed: it moves the position
   * @param from the first byte
   * @param to the byte after the last
   */
  public FileSender<M> sendFile(FileChannel file, long from, long to) {
    return new FileSender<>(this, file, from, to);
  }

  /**
   * Returns a sender of a whole file, which is closed when the sender ends, in any way.
   *
   * @throws IOException if the file cannot be opened
   */
  public FileSender<M> sendFile(Path path) throws IOException {
    FileChannel file = FileChannel.open(path);
    try {
      return sendFile(file, 0, file.size()).closeFile();
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * Returns an observer of requests, for a method of a service, that writes the bytes to a file,
   * and responds when the file is complete and closed. It releases all messages.
   *
   * <p>The file has a temporary name until it is whole, and then replaces one of its name, whose
   * permissions it has. There is none if the client cancels or if it cannot be written. Then the
   * call fails with {@code INTERNAL}; the reason is the cause of the status, which the client does
   * not see.
   *
   * @param responses gets one response, and is completed
   * @param response makes the response of the number of bytes
   */
  public <R> StreamObserver<BytesMessage<M>> receiveFile(
      Path path, StreamObserver<R> responses, LongFunction<R> response) {
    Objects.requireNonNull(path);
    return receiveFile(first -> path, responses, (written, bytes) -> response.apply(bytes));
  }

  /**
   * Returns an observer of requests as {@link #receiveFile(Path, StreamObserver, LongFunction)},
   * for a stream whose first message says where to write: a name among its other fields, for
   * instance.
   *
   * @param path returns the path; called once, with the first message without its bytes, or with
   *     the default instance if the stream is empty. The name comes from a client: check that it
   *     leads nowhere else. If this throws a {@link StatusRuntimeException}, the call fails with
   *     its status
   * @param responses gets one response, and is completed
   * @param response makes the response of the path and the number of bytes
   */
  public <R> StreamObserver<BytesMessage<M>> receiveFile(
      Function<M, Path> path, StreamObserver<R> responses, BiFunction<Path, Long, R> response) {
    ReceivedFile<Object, M> file =
        new ReceivedFile<>(
            prototype,
            path,
            (written, bytes) -> {
              responses.onNext(response.apply(written, bytes));
              responses.onCompleted();
            },
            failure ->
                responses.onError(
                    failure instanceof StatusRuntimeException
                        ? failure
                        : Status.INTERNAL
                            .withDescription("the file could not be received")
                            .withCause(failure)
                            .asRuntimeException()));
    if (responses instanceof ServerCallStreamObserver<R> call) {
      call.disableAutoRequest();
      file.requestFrom(call);
    }
    return file;
  }

  /**
   * Calls a method of a server without options, and writes the bytes of its responses to a file, as
   * {@link #download(Channel, MethodDescriptor, CallOptions, Object, Path)} does.
   */
  public <Q> long download(Channel channel, MethodDescriptor<Q, M> generated, Q request, Path path)
      throws IOException {
    return download(channel, generated, CallOptions.DEFAULT, request, path);
  }

  /**
   * Calls a method of a server, and writes the bytes of its responses to a file. Blocks until the
   * file is complete and closed. It releases all messages.
   *
   * <p>The file has a temporary name until it is whole, and then replaces one of its name, whose
   * permissions it has. There is none if the call fails or if it cannot be written. Deadlines of
   * {@code io.grpc.Context} apply, too.
   *
   * {@snippet class="dev.ferry.zerocopy.ZeroCopySnippets" region="options"}
   *
   * @param generated the method of the generated service
   * @param options the deadline, the credentials and all else of the call
   * @return the number of bytes
   * @throws IOException if the file cannot be written; the call is cancelled then
   * @throws io.grpc.StatusRuntimeException if the call fails, or the thread is interrupted
   */
  public <Q> long download(
      Channel channel, MethodDescriptor<Q, M> generated, CallOptions options, Q request, Path path)
      throws IOException {
    Objects.requireNonNull(path);
    ClientCall<Q, BytesMessage<M>> call = channel.newCall(responses(generated), options);
    CompletableFuture<Long> received = new CompletableFuture<>();
    ReceivedFile<Q, M> receiver =
        new ReceivedFile<>(
            prototype,
            first -> path,
            (written, bytes) -> received.complete(bytes),
            failure -> {
              if (!(failure instanceof StatusRuntimeException)) {
                call.cancel("the file could not be written", failure);
              }
              received.completeExceptionally(failure);
            });
    ClientCalls.asyncServerStreamingCall(call, request, receiver);
    try {
      return received.get();
    } catch (InterruptedException e) {
      call.cancel("interrupted", e);
      Thread.currentThread().interrupt();
      throw Status.CANCELLED.withDescription("interrupted").withCause(e).asRuntimeException();
    } catch (ExecutionException e) {
      Throwable failure = e.getCause();
      if (failure instanceof IOException) {
        throw new IOException(path + " could not be written", failure);
      }
      if (failure instanceof StatusRuntimeException status) {
        // With this thread in its stack trace, as that of a blocking stub.
        throw status.getStatus().withCause(status).asRuntimeException(status.getTrailers());
      }
      throw Status.fromThrowable(e).asRuntimeException();
    }
  }

  M prototype() {
    return prototype;
  }

  ByteBufAllocator pool() {
    return pool;
  }

  BytesDecoder<M> decoder() {
    return decoder;
  }

  int tag() {
    return tag;
  }

  /**
   * Returns whether this field is known to be in no {@code oneof}, whose fields clear one another.
   */
  boolean isAlone() {
    return alone;
  }

  /** Parses a message in views, one or many, without checking its required fields. */
  M parse(List<ByteBuffer> views) throws InvalidProtocolBufferException {
    if (views.size() == 1) {
      return parse(CodedInputStream.newInstance(views.get(0).duplicate()));
    }
    // Copied, since the stream of several buffers of protobuf 4.36 refuses some long varints.
    int length = views.stream().mapToInt(ByteBuffer::remaining).sum();
    ByteBuffer all = ByteBuffer.allocate(length);
    views.forEach(view -> all.put(view.duplicate()));
    return parse(all.array());
  }

  M parse(byte[] encoded) throws InvalidProtocolBufferException {
    return parse(CodedInputStream.newInstance(encoded));
  }

  @SuppressWarnings("unchecked") // A parser of a message, and its builder, return its type.
  private M parse(CodedInputStream input) throws InvalidProtocolBufferException {
    M parsed = (M) prototype.getParserForType().parsePartialFrom(input);
    input.checkLastTagWas(0);
    return parsed;
  }

  /** Returns a message with a copy of some views as its bytes. */
  @SuppressWarnings("unchecked") // A builder returns the type of its message.
  M withBytes(M rest, List<ByteBuffer> views) {
    int length = views.stream().mapToInt(ByteBuffer::remaining).sum();
    int headerSize = headerSize(NO_BYTES, length);
    byte[] encoded = new byte[headerSize + length];
    ByteBuffer bytes = ByteBuffer.wrap(encoded, headerSize, length);
    views.forEach(view -> bytes.put(view.duplicate()));
    try {
      CodedOutputStream output = CodedOutputStream.newInstance(encoded);
      output.writeUInt32NoTag(tag);
      output.writeUInt32NoTag(length);
      // The array is wrapped, not copied once more: nobody else has it.
      CodedInputStream input = UnsafeByteOperations.unsafeWrap(encoded).newCodedInput();
      input.enableAliasing(true);
      return (M) rest.toBuilder().mergeFrom(input).buildPartial();
    } catch (IOException e) {
      throw new UncheckedIOException("an array was changed while it was read", e);
    }
  }

  /** Returns the encoded message without this field. */
  private byte[] encoded(M rest) {
    if (rest.getSerializedSize() == 0) {
      return NO_BYTES;
    }
    byte[] encoded = rest.toByteArray();
    Place place = FieldScanner.find(List.of(ByteBuffer.wrap(encoded)), encoded.length, tag);
    if (place == Place.NONE) {
      return encoded;
    }
    if (place == null || place.length() > 0) {
      throw new IllegalArgumentException(
          "field "
              + number
              + " of "
              + prototype.getClass().getSimpleName()
              + " has bytes already; leave it unset, the bytes are given beside the message");
    }
    return without(encoded, place);
  }

  static byte[] without(byte[] encoded, Place place) {
    byte[] others = Arrays.copyOf(encoded, encoded.length - (place.end() - place.start()));
    System.arraycopy(encoded, place.end(), others, place.start(), others.length - place.start());
    return others;
  }

  /** Returns the bytes between the prefix of a message and the bytes of this field. */
  private int headerSize(byte[] others, int length) {
    return others.length
        + CodedOutputStream.computeUInt32SizeNoTag(tag)
        + CodedOutputStream.computeUInt32SizeNoTag(length);
  }

  /** Writes all before the bytes of this field, and returns their index. */
  private int writeHeader(ByteBuf target, int index, byte[] others, int length) {
    int at = index + PREFIX;
    target.setByte(index, 0);
    target.setInt(index + 1, headerSize(others, length) + length);
    target.setBytes(at, others);
    at = writeVarint(target, at + others.length, tag);
    return writeVarint(target, at, length);
  }

  private static int writeVarint(ByteBuf target, int index, int value) {
    int at = index;
    int left = value;
    while ((left & ~0x7f) != 0) {
      target.setByte(at++, left | 0x80);
      left >>>= 7;
    }
    target.setByte(at++, left);
    return at;
  }
}
