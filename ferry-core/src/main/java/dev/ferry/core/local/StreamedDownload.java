package dev.ferry.core.local;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.PartReceiver;
import dev.ferry.core.PartRequest;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.PassingDigest;
import dev.ferry.core.internal.StreamFailure;
import dev.ferry.core.internal.SystemError;
import dev.ferry.core.internal.TimeLeft;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Downloads a file to a channel, such as standard output, in order. What arrives is passed on at
 * once, and compared at the end. An attempt after a failure goes on where the last one was. One
 * thread at a time.
 */
public final class StreamedDownload {
  private final StorePath path;
  private final WritableByteChannel out;
  private final String outName;
  private final TransferOptions options;
  private final TimeLeft left;
  private final @Nullable PassingDigest digest;
  private @Nullable FileFacts facts;
  private @Nullable Digest stated;
  private long written;
  private boolean outClosed;

  /**
   * Creates a download without any attempt. The time that the options allow begins now.
   *
   * @param out receives the bytes, and stays open
   * @param outName names it in messages
   * @param options only a first attempt is compressed
   */
  public StreamedDownload(
      StorePath path, WritableByteChannel out, String outName, TransferOptions options) {
    this.path = path;
    this.out = out;
    this.outName = outName;
    this.options = options;
    this.left = new TimeLeft(options.timeout());
    this.digest = options.digest() == null ? null : PassingDigest.of(options.digest());
  }

  /** Whether the reader of the channel has closed it. */
  public boolean outClosed() {
    return outClosed;
  }

  /** Returns the bytes that were passed on so far. */
  public long written() {
    return written;
  }

  /**
   * One attempt: downloads the file, or the rest of it. If what was written does not have the
   * digest that the server states, it may remember that of other bytes, and has to read the file.
   */
  public Transfer attempt(Carrier carrier) throws FerryException {
    Transfer transfer = downloaded(carrier);
    FileFacts whole = facts;
    Digest actual = digest == null ? null : digest.of(written);
    if (whole == null || actual == null || stated == null || actual.equals(stated)) {
      return transfer;
    }
    CallLimits limits = options.limits().withTimeout(left.get());
    Digest now = digestOf(whole, carrier.readNow(path, whole.size(), actual.algorithm(), limits));
    stated = now == null ? stated : now;
    return new Transfer(
        whole.withoutDigests().withDigest(stated),
        transfer.wireBytes(),
        transfer.protocol(),
        transfer.encoding());
  }

  private Transfer downloaded(Carrier carrier) throws FerryException {
    FileFacts begun = facts;
    if (begun == null || written == 0) {
      return carrier.download(path, new Whole(), options.withTimeout(left.get()));
    }
    if (begun.version() == null) {
      throw new FerryException(
          ErrorKind.INCOMPLETE,
          path + ": the server does not state versions, so the transfer cannot resume");
    }
    try {
      Transfer last = null;
      if (written < begun.size()) {
        PartRequest rest = new PartRequest(written, begun.size() - written, begun.version());
        last = carrier.download(path, new Rest(rest), options.withTimeout(left.get()));
      }
      if (options.digest() != null) {
        CallLimits limits = options.limits().withTimeout(left.get());
        stated = digestOf(begun, carrier.stat(path, options.digest(), limits));
      }
      return new Transfer(
          begun.withDigest(stated),
          written,
          last == null ? "unknown" : last.protocol(),
          last == null ? "identity" : last.encoding());
    } catch (FerryException e) {
      throw e.kind() == ErrorKind.VERSION_MISMATCH ? changed(e) : e;
    }
  }

  /** Returns the digest in facts that the server gives later; null if they have none. */
  private @Nullable Digest digestOf(FileFacts begun, FileFacts now) throws FerryException {
    if (begun.version() != null && !begun.version().equals(now.version())) {
      throw changed(null);
    }
    return options.digest() == null ? null : now.digest(options.digest());
  }

  private FerryException changed(@Nullable Throwable cause) {
    return new FerryException(
        ErrorKind.FILE_CHANGED, path + ": changed on the server while it was downloaded", cause);
  }

  /** Begins the file. */
  private class Whole implements PartReceiver {
    @Override
    public boolean mayWait() {
      return true;
    }

    @Override
    public FileSink whole(FileFacts whole) throws FerryException {
      facts = whole;
      return new Sink();
    }
  }

  /** Continues the file. */
  private final class Rest extends Whole {
    private final PartRequest wanted;

    Rest(PartRequest wanted) {
      this.wanted = wanted;
    }

    @Override
    public PartRequest wanted() {
      return wanted;
    }

    @Override
    public FileSink part(FileFacts whole, long length) throws FerryException {
      if (length != wanted.length()) {
        throw new FerryException(
            ErrorKind.INCOMPLETE,
            "%s: the server sends %d bytes of the %d that are missing"
                .formatted(path, length, wanted.length()));
      }
      return new Sink();
    }

    @Override
    public FileSink whole(FileFacts whole) throws FerryException {
      throw new FerryException(
          ErrorKind.INCOMPLETE,
          path + ": the server sends no parts, so the transfer cannot resume");
    }
  }

  /**
   * Compares the digests after the last attempt.
   *
   * @throws FerryException with {@link ErrorKind#DIGEST_MISMATCH} if what was written is not the
   *     file; with {@link ErrorKind#INVALID_REQUEST} if the server has not said what the file is
   */
  public void verify() throws FerryException {
    Digest expected = stated;
    if (digest == null) {
      return;
    }
    Digest actual = digest.of(written);
    if (expected == null || actual == null) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          path + ": was not verified, the server gives no such digest; try another --checksum");
    }
    if (!expected.equals(actual)) {
      throw new FerryException(
          ErrorKind.DIGEST_MISMATCH,
          "%s: damaged: what was written has the %s %s, and the file of the server %s"
              .formatted(path, actual.algorithm().id(), actual, expected));
    }
  }

  /** Passes bytes on. The channel stays open. */
  private final class Sink implements FileSink {
    private final long begin = written;
    private long end = Long.MAX_VALUE;

    @Override
    public void expect(long size) {
      end = begin + size;
    }

    @Override
    public void checkExpansion(long arrived) {}

    @Override
    public boolean expectDigest(Digest.Algorithm algorithm, Executor executor) {
      return true;
    }

    @Override
    public long written() {
      return written - begin;
    }

    @Override
    public void write(ByteBuffer source) throws FerryException {
      if (source.remaining() > end - written) {
        throw new FerryException(
            ErrorKind.INCOMPLETE,
            "%s: more than the %d announced bytes came".formatted(path, end - begin));
      }
      if (digest != null) {
        digest.add(written, source.duplicate());
      }
      written += source.remaining();
      try {
        while (source.hasRemaining()) {
          out.write(source);
        }
      } catch (FerryException e) {
        // The failure of whoever receives the bytes, which no further attempt mends.
        throw new FerryException(e.kind(), outName + ": " + e.getMessage(), e);
      } catch (IOException | RuntimeException e) {
        outClosed = e instanceof IOException io && SystemError.of(io) == SystemError.BROKEN_PIPE;
        throw StreamFailure.of(e, outName);
      }
    }

    @Override
    public FileFacts commit(long expectedSize, @Nullable Digest expectedDigest)
        throws FerryException {
      if (expectedSize >= 0 && written() != expectedSize) {
        throw new FerryException(
            ErrorKind.INCOMPLETE,
            "%s: %d bytes arrived, and %d were announced".formatted(path, written(), expectedSize));
      }
      stated = expectedDigest;
      return Objects.requireNonNull(facts).withDigest(expectedDigest);
    }

    @Override
    public void close() {}
  }
}
