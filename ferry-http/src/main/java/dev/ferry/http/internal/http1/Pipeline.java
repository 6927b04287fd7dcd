package dev.ferry.http.internal.http1;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferBatch;
import dev.ferry.core.TransferBatch.Item;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.EqualFiles;
import dev.ferry.http.HttpProtocol;
import dev.ferry.http.internal.Call;
import dev.ferry.http.internal.Closing;
import dev.ferry.http.internal.CopyBuffers;
import dev.ferry.http.internal.IncomingResponse;
import dev.ferry.http.internal.Opener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Transfers the files of a batch over one connection, with many requests before their responses
 * (RFC 9112, 9.3.2), so that a round trip is not waited for with each file. Heads and bodies are
 * sent together in one buffer. What is ahead is limited: the server reads all of it, even if it
 * cannot send a response since this end is sending.
 *
 * <p>If the connection ends, what has no response is sent again over the next one. A file at whose
 * response two connections have ended fails, and so do all that are to be sent again when there is
 * no connection twice in a row. One thread.
 */
final class Pipeline {
  private static final int REQUESTS_AHEAD = 256;
  private static final int HEAD_BYTES_AHEAD = 64 * 1024;

  /** Bytes of files ahead for each request that may be: 1 MiB sent in all, or 4 MiB received. */
  private static final long FILE_BYTES = 4096;

  private static final int RECEIVED_FOR_SENT = 4;

  /** A larger file is sent by itself. */
  private static final int LARGEST_UPLOAD = 128 * 1024;

  /** Connections that may end at the same file. */
  private static final int MOST_ENDS = 2;

  private static final CopyBuffers BUFFERS = CopyBuffers.direct();

  private final Http1Carrier carrier;
  private final Http1Client client;
  private final TransferBatch batch;
  private final ByteBuffer out = BUFFERS.take(Connection.BUFFER_BYTES);

  /** Requests without a response, in their order. */
  private final Deque<Request> sent = new ArrayDeque<>();

  /** Requests to be sent again. */
  private final Deque<Request> again = new ArrayDeque<>();

  private int headBytes;
  private long fileBytes;

  /**
   * Requests that may be ahead. Halved when a connection ends, so that one that lasts only shortly
   * has responses, too.
   */
  private int ahead = REQUESTS_AHEAD;

  private boolean proxied;

  /** Responses of the connection. */
  private long responses;

  /** Failures in a row to connect. */
  private int refusals;

  private @Nullable Connection connection;

  /** The request that is neither sent nor over. */
  private @Nullable Request taken;

  /** A file that was requested, or sent. */
  private static final class Request {
    private final Item item;
    private int headBytes;
    private FileFacts facts;
    private @Nullable Digest digest;

    /** Connections that ended when this was the next to get a response. */
    private int ends;

    /** Whether the server may have executed the request before. */
    private boolean repeated;

    Request(Item item) {
      this.item = item;
      facts = new FileFacts("", item.size(), FileFacts.UNKNOWN_TIME, false, null);
    }

    long size() {
      return facts.size();
    }

    /** The bytes of its file for the limit of those ahead. */
    long ahead() {
      return item.isUpload() ? size() : size() / RECEIVED_FOR_SENT;
    }
  }

  Pipeline(Http1Carrier carrier, Http1Client client, TransferBatch batch) {
    this.carrier = carrier;
    this.client = client;
    this.batch = batch;
  }

  /** Transfers all files of the batch. */
  void run() throws FerryException {
    boolean answered = false;
    try {
      while (fill()) {
        receive();
      }
      answered = true;
    } catch (FerryException | RuntimeException e) {
      again.addAll(sent);
      sent.clear();
      if (taken != null) {
        again.add(taken);
      }
      while (!again.isEmpty()) {
        Item item = again.remove().item;
        item.failed(new FerryException(ErrorKind.CANCELLED, item.path() + ": cancelled", e));
      }
      throw e;
    } finally {
      BUFFERS.give(out);
      letGo(answered);
    }
  }

  private void letGo(boolean answered) {
    Connection used = connection;
    connection = null;
    if (used != null) {
      used.letGo(answered);
    }
  }

  /** Sends requests unless enough are ahead. Returns false if there are no more. */
  private boolean fill() throws FerryException {
    carrier.requireOpen();
    if (sent.size() <= ahead / 2 && fileBytes <= ahead * FILE_BYTES / 2) {
      out.clear();
      for (Request next = next(); next != null; next = next()) {
        taken = next;
        put(next);
        taken = null;
      }
      send();
    }
    return !sent.isEmpty() || !again.isEmpty();
  }

  /** Takes the next request, for which there is room. Waits only if there is nothing else to do. */
  private @Nullable Request next() throws FerryException {
    boolean idle = sent.isEmpty() && again.isEmpty();
    boolean full =
        sent.size() >= (proxied ? 1 : ahead)
            || fileBytes >= ahead * FILE_BYTES
            || headBytes >= HEAD_BYTES_AHEAD;
    if (full) {
      return null;
    }
    if (!again.isEmpty()) {
      return again.remove();
    }
    Item item = batch.next(false);
    if (item == null && idle) {
      // The server may end the connection while this waits.
      letGo(true);
      item = batch.next(true);
    }
    return item == null ? null : new Request(item);
  }

  /** Adds a request to the buffer, which is sent first if it is full. */
  private void put(Request request) throws FerryException {
    Item item = request.item;
    TransferOptions options = item.options();
    if (options.compression() != null
        || options.rateLimit() != null
        || options.timeout() != null
        || (item.isUpload() && item.size() > LARGEST_UPLOAD)) {
      alone(item);
      return;
    }
    try {
      Connection used = connected(item);
      if (item.isUpload()) {
        putFile(request, used);
      } else {
        putHead(request, used);
      }
    } catch (FerryException e) {
      if (taken == null) {
        // It has its result.
        throw e;
      }
      if (isOfConnection(e)) {
        unconnected(request, e);
      } else {
        failed(item, e);
      }
    }
  }

  /** Transfers a file as if there were no others, over another connection. */
  private void alone(Item item) throws FerryException {
    send();
    Transfer transfer;
    try {
      transfer = item.transfer(carrier);
    } catch (FerryException e) {
      failed(item, e);
      return;
    }
    item.done(transfer);
  }

  /** A cancelled call ends all. */
  private void failed(Item item, FerryException failure) throws FerryException {
    taken = null;
    item.failed(failure);
    if (failure.kind() == ErrorKind.CANCELLED) {
      throw failure;
    }
  }

  private Connection connected(Item item) throws FerryException {
    Connection known = connection;
    if (known != null) {
      return known;
    }
    try (Call call = carrier.begin(item.path(), item.options())) {
      call.expect();
      try {
        Connection opened = client.connection(call);
        connection = opened;
        responses = 0;
        refusals = 0;
        proxied = opened.isProxied();
        return opened;
      } catch (IOException e) {
        throw call.failure(e, ErrorKind.UNAVAILABLE);
      }
    }
  }

  private void putHead(Request request, Connection used) throws FerryException {
    Item item = request.item;
    byte[] head = client.head(used, Http1Carrier.get(item.path(), item.options(), Map.of()), 0);
    room(head.length);
    out.put(head);
    added(request, head.length);
  }

  private void putFile(Request request, Connection used) throws FerryException {
    Item item = request.item;
    try (FileSource file = FileSource.open(item.file())) {
      FileFacts facts = file.facts();
      if (facts.size() > LARGEST_UPLOAD) {
        alone(item);
        return;
      }
      int size = (int) facts.size();
      room(size + ResponseReader.MAX_HEAD_BYTES);
      // The head follows from the bytes. They are moved behind it then.
      ByteBuffer bytes = out.slice(out.position() + ResponseReader.MAX_HEAD_BYTES, size);
      Digest.Algorithm algorithm = item.options().digest();
      if (algorithm != null) {
        file.computeWhileReading(algorithm);
      }
      file.readFully(bytes, 0);
      Digest digest = algorithm == null ? null : file.digest(algorithm);
      file.verifyUnchanged();
      byte[] head =
          client.head(used, Http1Carrier.put(item.path(), item.options(), digest, facts), size);
      out.put(head).put(bytes.flip());
      request.facts = facts;
      request.digest = digest;
      added(request, head.length);
    }
  }

  private void added(Request request, int headSize) {
    request.headBytes = headSize;
    headBytes += headSize;
    fileBytes += request.ahead();
    sent.add(request);
  }

  private void room(int bytes) throws FerryException {
    if (out.remaining() < bytes) {
      send();
    }
  }

  private void send() throws FerryException {
    Request last = sent.peekLast();
    Connection used = connection;
    if (out.position() == 0 || last == null || used == null) {
      out.clear();
      return;
    }
    out.flip();
    Item item = last.item;
    try (Call call = carrier.begin(item.path(), item.options())) {
      call.during(used);
      call.expect();
      try {
        int unused = used.transport().write(out);
      } catch (IOException e) {
        FerryException failure = call.failure(e, ErrorKind.UNAVAILABLE);
        if (failure.kind() == ErrorKind.CANCELLED) {
          throw failure;
        }
        // The responses to what has arrived may be there to read. Then the connection ends.
      }
    } finally {
      out.clear();
    }
  }

  /** Reads the next response. */
  private void receive() throws FerryException {
    Request request = sent.peek();
    Connection used = connection;
    if (request == null || used == null) {
      return;
    }
    Item item = request.item;
    ResponseBody body = null;
    Transfer transfer;
    try (Call call = carrier.begin(item.path(), item.options())) {
      call.during(used);
      call.expect();
      try {
        ResponseHead head = used.reader().finalHead();
        String method = item.isUpload() ? "PUT" : "GET";
        body = new ResponseBody(used, used.reader(), head, method, call::moved);
        body.begin();
        HttpProtocol protocol = HttpProtocol.HTTP_1_1;
        transfer =
            transfer(call, request, new IncomingResponse(head.status(), head, protocol, body));
      } catch (IOException e) {
        throw call.failure(e, ErrorKind.UNAVAILABLE);
      }
    } catch (FerryException e) {
      boolean whole = body != null && body.ended();
      if (!whole && isOfConnection(e)) {
        ended(e);
      } else {
        responded(used, whole);
        refused(request, e);
      }
      return;
    }
    responded(used, true);
    item.done(transfer);
  }

  private Transfer transfer(Call call, Request request, IncomingResponse response)
      throws FerryException {
    Item item = request.item;
    if (!item.isUpload()) {
      return carrier.receive(
          carrier.receiver(
              call, item.path(), new Opener(item.path(), item::create), item.options()),
          response);
    }
    long size = request.size();
    FileFacts stored = carrier.stored(call, response, item.path(), size, request.digest);
    item.options().progress().update(size, size);
    return uploaded(stored);
  }

  private static Transfer uploaded(FileFacts stored) {
    return new Transfer(stored, stored.size(), HttpProtocol.HTTP_1_1.wireName(), "identity");
  }

  /**
   * @param announced whether the server has announced the end of the connection, if it has ended
   */
  private void responded(Connection used, boolean announced) {
    Request request = sent.remove();
    headBytes -= request.headBytes;
    fileBytes -= request.ahead();
    responses++;
    ahead = Math.min(ahead + 1, REQUESTS_AHEAD);
    if (used.isSpent()) {
      if (responses == 1) {
        // It ends after each response: what is sent ahead is sent in vain.
        ahead = 1;
      }
      // A server that ends a connection with a response executes nothing behind it (RFC 9112, 9.6).
      repeat(!announced);
    }
  }

  /** A file that was not transferred. It may have been stored before, by a lost request. */
  private void refused(Request request, FerryException failure) throws FerryException {
    Item item = request.item;
    if (item.isUpload()
        && request.repeated
        && item.options().create().createOnly()
        && failure.kind() == ErrorKind.ALREADY_EXISTS) {
      FileFacts stored;
      try {
        stored = equalFacts(item);
      } catch (FerryException e) {
        failed(item, e);
        return;
      }
      if (stored != null) {
        item.done(uploaded(stored));
        return;
      }
    }
    failed(item, failure);
  }

  /**
   * Returns the facts of the server's file if it is equal to what was sent; null if it is not.
   *
   * @throws FerryException if the server does not say
   */
  private @Nullable FileFacts equalFacts(Item item) throws FerryException {
    for (int ends = 1; ; ends++) {
      try {
        return EqualFiles.facts(carrier, item.path(), item.file(), item.options());
      } catch (FerryException e) {
        if (!isOfConnection(e) || ends == MOST_ENDS) {
          throw e;
        }
      }
    }
  }

  private static boolean isOfConnection(FerryException failure) {
    return failure.outage() != null && failure.kind() != ErrorKind.CANCELLED;
  }

  /** The connection has ended without the next response. */
  private void ended(FerryException failure) throws FerryException {
    ahead = Math.max(1, ahead / 2);
    Request first = sent.remove();
    boolean fails = ++first.ends == MOST_ENDS;
    if (!fails) {
      sent.addFirst(first);
    }
    repeat(true);
    if (fails) {
      failed(first.item, failure);
    }
  }

  /** There is no connection for a request. */
  private void unconnected(Request request, FerryException failure) throws FerryException {
    again.addFirst(request);
    taken = null;
    if (++refusals < MOST_ENDS) {
      return;
    }
    refusals = 0;
    List<Request> all = new ArrayList<>(again);
    again.clear();
    for (Request each : all) {
      failed(each.item, failure);
    }
  }

  /**
   * Has all that has no response sent again, over another connection.
   *
   * @param executed whether the server may have executed it
   */
  private void repeat(boolean executed) {
    Connection used = connection;
    connection = null;
    if (used != null) {
      used.giveBuffer();
      Closing.quietly(used);
    }
    while (!sent.isEmpty()) {
      Request last = sent.removeLast();
      last.repeated |= executed;
      again.addFirst(last);
    }
    out.clear();
    headBytes = 0;
    fileBytes = 0;
  }
}
