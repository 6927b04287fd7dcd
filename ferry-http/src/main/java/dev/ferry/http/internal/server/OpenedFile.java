package dev.ferry.http.internal.server;

import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import dev.ferry.http.internal.Closing;
import dev.ferry.http.internal.HttpCompression;
import dev.ferry.wire.internal.FileOperations;
import dev.ferry.wire.internal.contract.ByteRange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * A file to send.
 *
 * @param facts with what was computed while the content was read
 * @param gzip whether it is compressed: the client accepts it, requests the whole file, and the
 *     file becomes smaller
 * @param range the part to send; null for the whole file
 * @param content all bytes to send, if they are few, so that the file is closed already; null if
 *     they have to be read while they are sent
 */
record OpenedFile(
    FileSource file,
    FileFacts facts,
    boolean gzip,
    @Nullable ByteRange range,
    @Nullable ByteBuf content) {
  /**
   * How the content of a small file is read when it is opened.
   *
   * @param allocator of a direct buffer
   * @param follows whether a digest that is not known is to follow the content
   */
  record Reading(ByteBufAllocator allocator, boolean follows) {}

  /**
   * Opens the file of a {@code GET}. The caller closes it. A request for a directory is led to its
   * list, if the caller may know of it, as {@code HEAD} does. {@link FileStore#open} says {@link
   * ErrorKind#INVALID_PATH} of a directory.
   *
   * @param reading null to read nothing of it
   * @throws RefusedException if another response says what the client needs
   */
  static OpenedFile open(Exchange exchange, @Nullable Reading reading) throws FerryException {
    FileOperations files = exchange.files();
    StorePath path = exchange.path();
    FileRequest request = exchange.request();
    try {
      return files.open(
          path,
          file -> {
            OpenedFile opened = of(file, request);
            return reading == null || opened.part().length() > ConnectionHandler.SMALL
                ? opened
                : opened.read(reading, request.wantedDigest());
          });
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.INVALID_PATH && isDirectory(files, path)) {
        throw new RefusedException(
            Responses.folder(
                path, FileRequest.directoryUri(path, exchange.http()), exchange.base()));
      }
      throw e;
    }
  }

  private static OpenedFile of(FileSource file, FileRequest request) throws FerryException {
    FileFacts facts = request.readsNow() ? file.facts().withoutDigests() : file.facts();
    boolean gzip =
        request.acceptsGzip() && !request.asksForRange() && HttpCompression.worthwhile(file);
    if (Conditions.notModified(request.headers(), facts, gzip)) {
      throw new RefusedException(Responses.notModified(facts, gzip));
    }
    ByteRange range = request.range(facts);
    if (range != null && range.isEmpty()) {
      throw new RefusedException(Responses.unsatisfiable(facts, range));
    }
    return new OpenedFile(file, facts, gzip, range, null);
  }

  /** The bytes to send. */
  ByteRange part() {
    return range == null ? new ByteRange(0, facts.size()) : range;
  }

  /** Reads the content, and checks as a longer transfer does that the file is unchanged. */
  private OpenedFile read(Reading reading, Digest.@Nullable Algorithm wanted)
      throws FerryException {
    Digest.Algorithm missing =
        wanted != null && range == null && facts.digest(wanted) == null ? wanted : null;
    if (gzip || (missing != null && reading.follows())) {
      return this;
    }
    if (missing != null) {
      file.computeWhileReading(missing);
    }
    int length = (int) part().length();
    file.readAhead(part().first(), part().first() + length);
    ByteBuf bytes = reading.allocator().directBuffer(length, length);
    try {
      file.readFully(bytes.nioBuffer(0, length), part().first());
      file.verifyUnchanged();
      FileFacts known = missing == null ? facts : facts.withDigest(file.digest(missing));
      file.close();
      return new OpenedFile(file, known, false, range, bytes.writerIndex(length));
    } catch (FerryException | RuntimeException | Error e) {
      bytes.release();
      throw e;
    }
  }

  /** Releases it unsent. */
  void discard() {
    if (content == null) {
      Closing.quietly(file);
    } else {
      content.release();
    }
  }

  private static boolean isDirectory(FileOperations files, StorePath path) {
    try {
      return files.stat(path).directory();
    } catch (FerryException e) {
      return false;
    }
  }
}
