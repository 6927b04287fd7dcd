package dev.ferry.cli.client;

import dev.ferry.cli.program.Refusal;
import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.PartReceiver;
import dev.ferry.core.PartRequest;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.PassingDigest;
import dev.ferry.core.internal.SystemError;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Downloads a file to a channel, such as standard output, in order. What arrives is passed on at
 * once, and compared at the end. An attempt after a failure goes on where the last one was.
 */
final class StreamedDownload {
  private final StorePath path;
  private final WritableByteChannel out;
  private final TransferOptions options;
  private final @Nullable PassingDigest digest;
  private @Nullable FileFacts facts;
  private @Nullable Digest stated;
  private long written;
  private boolean outClosed;

  StreamedDownload(StorePath path, WritableByteChannel out, TransferOptions options) {
    this.path = path;
    this.out = out;
    this.options = options;
    this.digest = options.digest() == null ? null : PassingDigest.of(options.digest());
  }

  /** Whether the reader of the channel has closed it. */
  boolean outClosed() {
    return outClosed;
  }

  /** One attempt: downloads the file, or the rest of it. */
  FileFacts attempt(Carrier carrier) throws FerryException {
    FileFacts begun = facts;
    if (begun == null || written == 0) {
      return carrier.download(path, this::begin, options).facts();
    }
    if (begun.version() == null) {
      throw new FerryException(
          ErrorKind.INCOMPLETE,
          path + ": the server does not state versions, so this cannot go on");
    }
    try {
      if (written < begun.size()) {
        PartRequest rest = new PartRequest(written, begun.size() - written, begun.version());
        carrier.download(path, new Rest(rest), options);
      }
      if (options.digest() != null) {
        FileFacts now = carrier.stat(path, options.digest(), options.limits());
        stated = now.digest(options.digest());
        if (!Objects.equals(now.version(), begun.version())) {
          throw changed(null);
        }
      }
      return begun.withDigest(stated);
    } catch (FerryException e) {
      throw e.kind() == ErrorKind.VERSION_MISMATCH ? changed(e) : e;
    }
  }

  private FerryException changed(@Nullable Throwable cause) {
    return new FerryException(
        ErrorKind.FILE_CHANGED, path + ": changed on the server while it was downloaded", cause);
  }

  private FileSink begin(FileFacts whole) {
    facts = whole;
    return new Sink();
  }

  /** Continues the file. */
  private final class Rest implements PartReceiver {
    private final PartRequest wanted;

    Rest(PartRequest wanted) {
      this.wanted = wanted;
    }

    @Override
    public PartRequest wanted() {
      return wanted;
    }

    @Override
    public FileSink part(FileFacts whole, long length) {
      return new Sink();
    }

    @Override
    public FileSink whole(FileFacts whole) throws FerryException {
      throw new FerryException(
          ErrorKind.INCOMPLETE, path + ": the server sends no parts, so this cannot go on");
    }
  }

  /**
   * Compares the digests after the last attempt.
   *
   * @throws Refusal if what was written is not the file
   */
  void verify() {
    Digest expected = stated;
    if (digest == null) {
      return;
    }
    Digest actual = digest.of(written);
    if (expected == null || actual == null) {
      throw new Refusal(
          ErrorKind.INVALID_REQUEST,
          path + ": was not verified, the server gives no such digest; try another --checksum");
    }
    if (!expected.equals(actual)) {
      throw new Refusal(
          ErrorKind.DIGEST_MISMATCH,
          "%s: damaged: what was written has the %s %s, and the file of the server %s"
              .formatted(path, actual.algorithm().id(), actual, expected));
    }
  }

  /** Passes bytes on. The channel stays open. */
  private final class Sink implements FileSink {
    private final long begin = written;

    @Override
    public void expect(long size) {}

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
      if (digest != null) {
        digest.add(written, source.duplicate());
      }
      written += source.remaining();
      try {
        while (source.hasRemaining()) {
          out.write(source);
        }
      } catch (IOException e) {
        outClosed = SystemError.of(e) == SystemError.BROKEN_PIPE;
        throw FerryException.of(e, "standard output");
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
