package dev.ferry.library;

import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.Library;
import dev.ferry.core.internal.PlainText;
import dev.ferry.core.local.Download;
import dev.ferry.core.local.StreamedDownload;
import dev.ferry.core.local.Upload;
import dev.ferry.core.upload.UploadIds;
import dev.ferry.library.internal.BytesSource;
import dev.ferry.library.internal.FileAddress;
import dev.ferry.library.internal.Link;
import dev.ferry.library.internal.TargetChannel;
import dev.ferry.wire.ClientTls;
import dev.ferry.wire.Servers;
import dev.ferry.wire.Token;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A client of one Ferry server, or of several that serve the same files.
 *
 * {@snippet class="dev.ferry.library.Snippets" region="client"}
 *
 * <p>A file appears at its receiver when it is complete and its digest is right, or not at all.
 * Calls block; those of {@link #async} return futures. An interrupt of the calling thread cancels a
 * call, and so does {@link #close}. Every failure is a {@link FerryException} with an {@link
 * ErrorKind}: {@link ErrorKind#CANCELLED} after an interrupt or a close, {@link ErrorKind#INTERNAL}
 * with its cause for an unchecked exception of a stream, a consumer or a {@link
 * TransferOptions.Progress}.
 *
 * <p>Failures that may be over soon, such as a lost connection, are repeated as {@link
 * Builder#retries} says. Transfers then go on where they were, if the other end has kept what
 * arrived. Paths have {@code /} between names; one at the beginning is ignored.
 *
 * <p>Thread-safe. Make one client and keep it: it has the connections.
 */
public final class FerryClient implements AutoCloseable {
  private static final Retries RETRIES = Retries.of(5, Duration.ZERO);

  private final Link link;
  private final TransferOptions options;

  /** Receives the bytes of a download. */
  @FunctionalInterface
  public interface BufferConsumer {
    /**
     * Takes the next bytes of the file. Called on any thread, by one at a time, which may wait.
     *
     * @param bytes valid, and not to be changed, until this returns
     * @throws IOException to end the download
     */
    void accept(ByteBuffer bytes) throws IOException;
  }

  private FerryClient(Link link, TransferOptions options) {
    this.link = link;
    this.options = options;
  }

  /**
   * Makes a client with the defaults of {@link #builder}. The first call connects.
   *
   * @throws FerryException as {@link Builder#connect}
   */
  public static FerryClient connect(String address) throws FerryException {
    return builder(address).connect();
  }

  /**
   * Begins to make a client.
   *
   * @param address {@code ferry://HOST[:PORT]}, or {@code ferrys://...} for TLS. Several servers of
   *     the same files have commas between them: {@code ferry://a,b:7071}. Without a port it is
   *     that of the {@link Protocol}. {@code http://HOST[:PORT]/files/} and {@code https://...} are
   *     servers of HTTP. A path at its end is not allowed
   */
  public static Builder builder(String address) {
    return new Builder(address);
  }

  /** Settings of a new client. For one thread at a time. */
  public static final class Builder {
    private final String address;
    private @Nullable Protocol protocol;
    private @Nullable String tokenText;
    private @Nullable Token token;
    private @Nullable ClientTls tls;
    private Retries retries = RETRIES;
    private @Nullable Executor executor;
    private TransferOptions options = TransferOptions.DEFAULT;

    private Builder(String address) {
      this.address = address;
    }

    /** Chooses the protocol. By default it is gRPC for port 7070, and otherwise HTTP. */
    public Builder protocol(Protocol value) {
      protocol = value;
      return this;
    }

    /** Sends a token with each request, as {@code ferry token add} prints it. */
    public Builder token(String value) {
      tokenText = value;
      token = null;
      return this;
    }

    /** Sends a token with each request. */
    public Builder token(Token value) {
      tokenText = null;
      token = value;
      return this;
    }

    /**
     * Encrypts, and says which servers to trust. By default, {@code ferrys} and {@code https} trust
     * the certificates that the JDK trusts, and {@code ferry} and {@code http} are plain text.
     */
    public Builder tls(ClientTls value) {
      tls = value;
      return this;
    }

    /**
     * Says which attempts follow a failure. By default there are five without progress: if nothing
     * listens at the address, a call fails after 31 seconds at most, and 15 in the mean. If nothing
     * answers there at all, each of the six attempts takes {@link Carrier#CONNECT_TIMEOUT} more.
     * {@link Retries#NONE} fails at once.
     */
    public Builder retries(Retries value) {
      retries = value;
      return this;
    }

    /**
     * Runs the calls of {@link FerryClient#async}, which block its threads. By default, up to 128
     * run at once, each on a thread of its own, and the others wait in order. Give an executor with
     * more threads if more streams wait for each other, or never end.
     */
    public Builder executor(Executor value) {
      executor = value;
      return this;
    }

    /** Sets the options of all transfers; see also {@link FerryClient#with}. */
    public Builder options(TransferOptions value) {
      options = value;
      return this;
    }

    /**
     * Makes the client. The first call connects.
     *
     * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if the address or the token is
     *     malformed, or the token would be sent to another machine in plain text; with {@link
     *     ErrorKind#INTERNAL} if the program has a library in a version that is too old
     */
    public FerryClient connect() throws FerryException {
      try {
        FileAddress parsed = FileAddress.parse(address);
        if (!parsed.path().isEmpty()) {
          throw new IllegalArgumentException(
              "'" + address + "': names a file; name the server here, and the file in the calls");
        }
        Protocol used = protocol == null ? parsed.protocol() : protocol;
        if (used == Protocol.GRPC && parsed.scheme().isHttp()) {
          throw new IllegalArgumentException("'" + address + "': gRPC has the scheme ferry://");
        }
        ClientTls secured = tls == null && parsed.scheme().tls() ? ClientTls.trustingJdk() : tls;
        Token sent = tokenText == null ? token : Token.parse(tokenText);
        Servers servers = Servers.of(parsed.servers(used), parsed.base());
        return new FerryClient(new Link(used, servers, secured, sent, retries, executor), options);
      } catch (IllegalArgumentException e) {
        throw new FerryException(ErrorKind.INVALID_REQUEST, String.valueOf(e.getMessage()), e);
      } catch (LinkageError e) {
        throw Library.failure(e);
      }
    }
  }

  /**
   * Returns a client with other options for its transfers and the same connections. Each closes all
   * of them.
   */
  public FerryClient with(TransferOptions value) {
    return new FerryClient(link, value);
  }

  /** Returns the options of the transfers. */
  public TransferOptions options() {
    return options;
  }

  /** Returns the same transfers as futures. */
  public Async async() {
    return new Async(this);
  }

  /**
   * Uploads a local file. A rest of it is sent after a failure.
   *
   * @param path the new name at the server; an existing file is replaced, unless the options are
   *     {@linkplain CreateOptions#createOnly create-only}
   */
  public Transfer upload(String path, Path file) throws FerryException {
    StorePath parsed = parse(path);
    return link.run(
        () ->
            Objects.requireNonNull(
                Upload.run(
                    link,
                    file,
                    parsed,
                    options,
                    link.retries(),
                    carrier -> options.create(),
                    UploadIds.RANDOM)));
  }

  /**
   * Uploads a stream up to its end. It is read on any thread and not closed. Nothing but a window
   * of 4 MiB is in memory. After a failure, the upload begins anew if no more than that was read;
   * otherwise it fails. If the stream is longer than 256 KiB, it is not compressed. To cancel the
   * upload ends no read of the stream that waits.
   *
   * @param path as for {@link #upload(String, Path)}
   */
  public Transfer upload(String path, InputStream stream) throws FerryException {
    return upload(path, stream, FileFacts.UNKNOWN_SIZE);
  }

  /**
   * Uploads a stream as {@link #upload(String, InputStream)}, of which the server knows the length
   * from the beginning, so that it can refuse what does not fit.
   *
   * @param length bytes to read and send, from 0: what follows them stays in the stream; if there
   *     are less, the upload fails with {@link ErrorKind#INCOMPLETE}; -1 if they are not known, for
   *     all up to the end of the stream
   * @throws IllegalArgumentException if the length is less than -1
   */
  public Transfer upload(String path, InputStream stream, long length) throws FerryException {
    if (length < FileFacts.UNKNOWN_SIZE) {
      throw new IllegalArgumentException("a length of " + length + " bytes is negative");
    }
    StorePath parsed = parse(path);
    return upload(parsed, BytesSource.of(parsed, stream, length));
  }

  /**
   * Uploads the remaining bytes of a buffer, whose position stays. They must not change meanwhile.
   *
   * @param path as for {@link #upload(String, Path)}
   */
  public Transfer upload(String path, ByteBuffer bytes) throws FerryException {
    StorePath parsed = parse(path);
    return upload(parsed, BytesSource.of(parsed, bytes));
  }

  /**
   * Uploads bytes. They must not change meanwhile.
   *
   * @param path as for {@link #upload(String, Path)}
   */
  public Transfer upload(String path, byte[] bytes) throws FerryException {
    return upload(path, ByteBuffer.wrap(bytes));
  }

  private Transfer upload(StorePath path, BytesSource source) throws FerryException {
    TransferOptions used = source.isReadOnce() ? options.withCompression(null) : options;
    return link.upload(path, source, used);
  }

  /**
   * Downloads to a local file, which is replaced when the new one is complete, unless the options
   * are {@linkplain CreateOptions#createOnly create-only}. For a file system that is not the
   * default one, such as a zip archive, the file is received in the folder of temporary files
   * first.
   */
  public Transfer download(String path, Path file) throws FerryException {
    StorePath parsed = parse(path);
    return link.run(() -> Download.run(link, 1, parsed, file, options, link.retries()));
  }

  /**
   * Downloads to a stream, which is not closed. What arrives is written at once, and compared at
   * the end: after a failure, what was written is a part of the file, or not the file at all. After
   * a lost connection, the download goes on where it was.
   *
   * @throws FerryException with {@link ErrorKind#DIGEST_MISMATCH} if the bytes are not those of the
   *     server's file
   */
  public Transfer download(String path, OutputStream stream) throws FerryException {
    return download(path, TargetChannel.of(stream));
  }

  /** Downloads as {@link #download(String, OutputStream)}, to a consumer of buffers. */
  public Transfer download(String path, BufferConsumer consumer) throws FerryException {
    return download(path, new TargetChannel(consumer::accept));
  }

  private Transfer download(String path, WritableByteChannel target) throws FerryException {
    StreamedDownload download =
        new StreamedDownload(parse(path), target, "the target of " + path, options);
    Transfer transfer =
        link.call(
            options.timeout(), (carrier, left) -> download.attempt(carrier), download::written);
    download.verify();
    return transfer;
  }

  /**
   * Returns the facts of a file or folder.
   *
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if there is neither
   */
  public FileFacts stat(String path) throws FerryException {
    StorePath parsed = parseFolder(path);
    return link.call(
        options.timeout(),
        (carrier, left) -> carrier.stat(parsed, null, options.limits().withTimeout(left)),
        () -> 0);
  }

  /**
   * Returns what is in a folder, in the order of the names; the empty path is the root.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_PATH} if the server names something that
   *     is not directly in the folder
   */
  public List<FileFacts> list(String folder) throws FerryException {
    StorePath parsed = parseFolder(folder);
    List<FileFacts> found =
        link.call(
            options.timeout(),
            (carrier, left) -> {
              List<FileFacts> all = new ArrayList<>();
              boolean unused =
                  carrier.list(parsed, false, all::add, options.limits().withTimeout(left));
              return all;
            },
            () -> 0);
    for (FileFacts entry : found) {
      requireIn(parsed, entry);
    }
    return found;
  }

  /** Who downloads what is listed takes the names for those of local files. */
  private static void requireIn(StorePath folder, FileFacts entry) throws FerryException {
    boolean named = entry.leftOut() != FileFacts.LeftOut.NAME;
    if (named && !StorePath.parse(entry.name()).parent().equals(folder)) {
      throw new FerryException(
          ErrorKind.INVALID_PATH,
          "the server lists '%s', which is not in '%s'"
              .formatted(PlainText.of(entry.name()), folder));
    }
  }

  /**
   * Deletes a file or an empty folder. Repeated only after failures with which no server has begun
   * it, such as a refused connection.
   */
  public void delete(String path) throws FerryException {
    StorePath parsed = parse(path);
    link.change(new Change.Delete(parsed, null), options);
  }

  /**
   * Moves a file or folder. A file replaces a file, unless the options are {@linkplain
   * CreateOptions#createOnly create-only}. Repeated as {@link #delete}.
   */
  public void move(String path, String target) throws FerryException {
    StorePath from = parse(path);
    StorePath to = parse(target);
    link.change(new Change.Move(from, to, !options.create().createOnly()), options);
  }

  /**
   * Makes a folder, with those above it if the options {@linkplain CreateOptions#makeParents make
   * parents}. Repeated as {@link #delete}.
   */
  public void makeFolder(String path) throws FerryException {
    StorePath parsed = parse(path);
    link.change(new Change.MakeDirectory(parsed, options.create().makeParents()), options);
  }

  private static StorePath parse(String path) throws FerryException {
    return StorePath.parse(relative(path));
  }

  private static StorePath parseFolder(String path) throws FerryException {
    String relative = relative(path);
    return StorePath.parseDirectory(
        relative.endsWith("/") ? relative.substring(0, relative.length() - 1) : relative);
  }

  private static String relative(String path) {
    return path.startsWith("/") ? path.substring(1) : path;
  }

  /**
   * Closes the connections. Calls that run fail with {@link ErrorKind#CANCELLED}: those of {@link
   * #async} before this returns, even if a stream swallows the interrupt of its thread.
   */
  @Override
  public void close() {
    link.close();
  }

  /**
   * The transfers of a client as futures. To cancel a future, or to complete it in another way such
   * as by {@link CompletableFuture#orTimeout}, cancels the transfer and interrupts the thread that
   * runs it. A future fails with the {@link FerryException} of the transfer; with {@link
   * ErrorKind#INTERNAL} if the executor rejects it.
   *
   * <p>A future is completed on the thread of the transfer, or the one that cancels it or closes
   * the client. The threads of a client are daemons: a program that ends does not wait for its
   * transfers.
   */
  public static final class Async {
    private final FerryClient client;

    private Async(FerryClient client) {
      this.client = client;
    }

    /** See {@link FerryClient#upload(String, Path)}. */
    public CompletableFuture<Transfer> upload(String path, Path file) {
      return client.link.start(() -> client.upload(path, file));
    }

    /** See {@link FerryClient#upload(String, InputStream)}. */
    public CompletableFuture<Transfer> upload(String path, InputStream stream) {
      return client.link.start(() -> client.upload(path, stream));
    }

    /** See {@link FerryClient#upload(String, InputStream, long)}. */
    public CompletableFuture<Transfer> upload(String path, InputStream stream, long length) {
      return client.link.start(() -> client.upload(path, stream, length));
    }

    /** See {@link FerryClient#upload(String, ByteBuffer)}. */
    public CompletableFuture<Transfer> upload(String path, ByteBuffer bytes) {
      return client.link.start(() -> client.upload(path, bytes));
    }

    /** See {@link FerryClient#upload(String, byte[])}. */
    public CompletableFuture<Transfer> upload(String path, byte[] bytes) {
      return client.link.start(() -> client.upload(path, bytes));
    }

    /** See {@link FerryClient#download(String, Path)}. */
    public CompletableFuture<Transfer> download(String path, Path file) {
      return client.link.start(() -> client.download(path, file));
    }

    /** See {@link FerryClient#download(String, OutputStream)}. */
    public CompletableFuture<Transfer> download(String path, OutputStream stream) {
      return client.link.start(() -> client.download(path, stream));
    }

    /** See {@link FerryClient#download(String, BufferConsumer)}. */
    public CompletableFuture<Transfer> download(String path, BufferConsumer consumer) {
      return client.link.start(() -> client.download(path, consumer));
    }
  }
}
