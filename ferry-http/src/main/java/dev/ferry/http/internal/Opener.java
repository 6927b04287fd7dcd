package dev.ferry.http.internal;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.PartReceiver;
import dev.ferry.core.PartRequest;
import dev.ferry.core.StorePath;
import dev.ferry.wire.internal.contract.ByteRange;

/**
 * Opens the file of a download when the head of its response has arrived.
 *
 * @param receiver opens the whole file if the server ignores {@code Range}
 */
public record Opener(StorePath path, PartReceiver receiver) {
  private static final int PARTIAL_CONTENT = 206;

  /** Returns whether a response is a part of a file, whose digest is not compared. */
  static boolean isPart(int status) {
    return status == PARTIAL_CONTENT;
  }

  /**
   * Opens the file. Called once for a response that is successful.
   *
   * @throws FerryException to end the download
   */
  public FileSink open(int status, Fields fields) throws FerryException {
    if (!isPart(status)) {
      return receiver.whole(whole(fields));
    }
    PartRequest request = receiver.wanted();
    if (request == null) {
      throw new FerryException(ErrorKind.INCOMPLETE, path + ": a part was sent, and not the file");
    }
    ByteRange.Content content = ByteRange.Content.parse(fields.get("Content-Range"));
    String version = ResponseFacts.version(fields);
    if (content == null || content.range().first() != request.offset()) {
      throw new FerryException(
          ErrorKind.INCOMPLETE,
          path + ": another part was sent: Content-Range: " + fields.get("Content-Range"));
    }
    if (version == null) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          path
              + ": parts of it have no strong ETag, which says that they belong together;"
              + " request the whole file");
    }
    if (request.version() != null && !request.version().equals(version)) {
      throw new FerryException(
          ErrorKind.VERSION_MISMATCH, path + ": a part of another version was sent");
    }
    FileFacts facts =
        facts(fields, content.size())
            .withVersion(version)
            .withDigests(ResponseFacts.digests(fields));
    return receiver.part(facts, content.range().length());
  }

  private FileFacts whole(Fields fields) throws FerryException {
    long size = ResponseFacts.size(fields, ResponseFacts.isGzip(fields, path.value()));
    return facts(fields, Math.max(0, size))
        .withVersion(size < 0 ? null : ResponseFacts.version(fields));
  }

  private FileFacts facts(Fields fields, long size) {
    return new FileFacts(path.value(), size, ResponseFacts.lastModified(fields), false, null)
        .withMode(ResponseFacts.mode(fields));
  }
}
