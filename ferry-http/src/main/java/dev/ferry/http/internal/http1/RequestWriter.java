package dev.ferry.http.internal.http1;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.http.internal.FileBody;
import dev.ferry.http.internal.OutgoingRequest;
import dev.ferry.http.internal.Payload;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request through the buffer of its connection: the head and the beginning of the body in
 * one write. A server may answer before it has the whole body, which ends the request.
 */
final class RequestWriter {
  /** A body that is not larger is sent without asking first, which would take a round trip. */
  private static final int UNASKED_BYTES = 64 * 1024;

  /** The time to wait for an answer to {@code Expect}, which servers may ignore. */
  private static final int EXPECT_MILLIS = 1000;

  /** The status of a server that wants no {@code Expect}. */
  private static final int EXPECTATION_FAILED = 417;

  /** Eight hexadecimal digits and a line break. */
  private static final int CHUNK_HEAD = 10;

  private static final byte[] LAST_CHUNK = "0\r\n".getBytes(StandardCharsets.US_ASCII);

  /** The room for the last chunk and the digest that follows it, whatever its algorithm is. */
  private static final int END_BYTES = 256;

  /** Methods whose requests have a body, even if it is empty. */
  private static final Set<String> WITH_BODY = Set.of("PUT", "PATCH", "POST");

  private final Connection connection;
  private final OutgoingRequest request;
  private final @Nullable Payload payload;
  private final boolean chunked;
  private final boolean asks;
  private boolean unanswered;
  private boolean refused;

  /**
   * @param mayAsk whether the server heeds {@code Expect: 100-continue}, as far as is known
   */
  RequestWriter(Connection connection, OutgoingRequest request, boolean mayAsk) {
    this.connection = connection;
    this.request = request;
    payload = request.payload();
    long length = payload == null ? 0 : payload.length();
    chunked = length < 0 || (payload != null && payload.following() != null);
    asks = mayAsk && request.expectContinue() && (length < 0 || length > UNASKED_BYTES);
  }

  /**
   * Sends the request and waits for the head of its response.
   *
   * @param target the path, or the URI if it is for a proxy
   * @param host the value of the field Host
   * @param authorization null for none
   */
  ResponseHead send(String target, String host, @Nullable String authorization) throws IOException {
    ResponseReader reader = connection.reader();
    ByteBuffer buffer = reader.buffer().clear();
    long length = payload == null ? 0 : payload.length();
    buffer.put(head(request, target, host, authorization, chunked ? -1 : length, asks));
    if (payload == null) {
      write();
    } else {
      ResponseHead refusal = asks ? ask() : null;
      if (refusal == null) {
        refusal = sendBody(payload);
      }
      if (refusal != null) {
        connection.spend();
        return refusal;
      }
    }
    return reader.finalHead();
  }

  /**
   * Returns the head of a request.
   *
   * @param length bytes of the body; negative if it is chunked
   * @param asks whether the server is to say first that it wants the body
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if no request can have it
   */
  static byte[] head(
      OutgoingRequest request,
      String target,
      String host,
      @Nullable String authorization,
      long length,
      boolean asks)
      throws FerryException {
    StringBuilder head = new StringBuilder(512);
    head.append(request.method()).append(' ').append(target).append(" HTTP/1.1\r\n");
    field(head, "Host", host);
    field(head, "User-Agent", "ferry");
    if (authorization != null) {
      field(head, "Authorization", authorization);
    }
    for (var field : request.fields().entrySet()) {
      field(head, field.getKey(), field.getValue());
    }
    if (request.method().equals("HEAD")
        || (request.method().equals("GET")
            && request.fields().containsKey(HttpRoutes.WANT_UNENCODED_DIGEST))) {
      // The digest may follow the body, that of an upload if the server says so in response to
      // HEAD.
      field(head, "TE", "trailers");
      field(head, "Connection", "TE");
    }
    if (length < 0) {
      field(head, "Transfer-Encoding", "chunked");
    } else if (length > 0 || WITH_BODY.contains(request.method())) {
      field(head, "Content-Length", Long.toString(length));
    }
    if (asks) {
      field(head, "Expect", "100-continue");
    }
    byte[] bytes = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    if (bytes.length > ResponseReader.MAX_HEAD_BYTES) {
      throw new FerryException(ErrorKind.INVALID_REQUEST, "the name or a field is too long");
    }
    return bytes;
  }

  private static void field(StringBuilder head, String name, String value) throws FerryException {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ' || c == 0x7f || c > 0xff) {
        throw new FerryException(
            ErrorKind.INVALID_REQUEST, "the field " + name + " cannot have such a character");
      }
    }
    head.append(name).append(": ").append(value).append("\r\n");
  }

  /** Sends the head, and waits for a while. Returns what the server says instead of yes. */
  private @Nullable ResponseHead ask() throws IOException {
    write();
    ByteBuffer buffer = connection.reader().buffer().clear();
    int n = connection.transport().readWithin(buffer, EXPECT_MILLIS);
    buffer.flip();
    ResponseHead answer = answer(n);
    unanswered = n == 0;
    refused = answer != null && answer.status() == EXPECTATION_FAILED;
    return answer;
  }

  /** Whether the server has shown with this request that it does not heed {@code Expect}. */
  boolean askedInVain() {
    return unanswered || refused;
  }

  /** Whether the server wants the request without {@code Expect}. It has nothing of the body. */
  boolean refusesToBeAsked() {
    return refused;
  }

  /**
   * Returns the final head if it has arrived.
   *
   * @param received bytes that have arrived; -1 at the end of the connection
   */
  private @Nullable ResponseHead answer(int received) throws IOException {
    if (received < 0) {
      throw new EOFException("the connection ended in a request");
    }
    ResponseReader reader = connection.reader();
    while (reader.buffer().hasRemaining()) {
      ResponseHead head = reader.head();
      if (!head.isInterim()) {
        return head;
      }
    }
    reader.buffer().clear();
    return null;
  }

  /** Returns the final head if it has arrived before the end of the body. */
  private @Nullable ResponseHead sendBody(Payload file) throws IOException {
    ByteBuffer buffer = connection.reader().buffer();
    try (FileBody body = file.open()) {
      while (!fill(body, buffer, file.bufferSize())) {
        ResponseHead answer = writeUnlessAnswered();
        if (answer != null) {
          return refusal(answer);
        }
      }
    }
    try {
      write();
      return null;
    } catch (IOException e) {
      return refusal(answerDespite(e));
    }
  }

  private @Nullable ResponseHead writeUnlessAnswered() throws IOException {
    try {
      write();
    } catch (IOException e) {
      return answerDespite(e);
    }
    ByteBuffer buffer = connection.reader().buffer().clear();
    int n = connection.transport().readArrived(buffer);
    buffer.flip();
    return answer(n);
  }

  /** Reads what a server has said before it closed the connection. */
  private ResponseHead answerDespite(IOException failure) throws IOException {
    connection.reader().buffer().limit(0);
    try {
      return connection.reader().finalHead();
    } catch (IOException e) {
      failure.addSuppressed(e);
      throw failure;
    }
  }

  private static ResponseHead refusal(ResponseHead head) throws IOException {
    if (head.status() < 300) {
      throw new IOException("the server took an upload that was not sent to its end");
    }
    return head;
  }

  /**
   * Fills the rest of the buffer.
   *
   * @return whether the body has ended
   */
  private boolean fill(FileBody body, ByteBuffer buffer, int most) throws FerryException {
    int start = buffer.position();
    int around = chunked ? CHUNK_HEAD + 2 + END_BYTES : 0;
    int data = chunked ? start + CHUNK_HEAD : start;
    int room = Math.min(most, buffer.capacity() - start - around);
    boolean last = body.fill(buffer.position(data).limit(data + room));
    int n = buffer.position() - data;
    buffer.limit(buffer.capacity());
    if (chunked) {
      endChunk(buffer, start, n);
      if (last) {
        buffer.put(LAST_CHUNK).put(trailers()).put((byte) '\r').put((byte) '\n');
      }
    }
    return last;
  }

  private byte[] trailers() throws FerryException {
    StringBuilder fields = new StringBuilder();
    if (payload != null && payload.following() != null) {
      field(fields, HttpRoutes.UNENCODED_DIGEST, HttpRoutes.digestField(payload.followingDigest()));
    }
    return fields.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static void endChunk(ByteBuffer buffer, int start, int size) {
    if (size == 0) {
      buffer.position(start);
    } else {
      for (int i = 0; i < CHUNK_HEAD - 2; i++) {
        int digit = size >> (4 * (CHUNK_HEAD - 3 - i)) & 0xf;
        buffer.put(start + i, (byte) Character.forDigit(digit, 16));
      }
      buffer.put(start + CHUNK_HEAD - 2, (byte) '\r').put(start + CHUNK_HEAD - 1, (byte) '\n');
      buffer.put((byte) '\r').put((byte) '\n');
    }
  }

  /**
   * Writes what is in the buffer up to its position, and leaves the buffer without bytes to read.
   */
  private void write() throws IOException {
    ByteBuffer buffer = connection.reader().buffer().flip();
    int unused = connection.transport().write(buffer);
  }
}
