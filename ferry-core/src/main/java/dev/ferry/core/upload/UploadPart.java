package dev.ferry.core.upload;

import dev.ferry.core.Digest;
import org.jspecify.annotations.Nullable;

/**
 * What one request sends of an upload that can be continued: the bytes from an offset on.
 *
 * @param id the upload
 * @param offset the first byte that is sent; as many bytes have arrived before
 * @param size bytes of the whole, unencoded file; negative if they are not known
 * @param last whether the bytes up to the end of the file are sent; otherwise a store that keeps
 *     uploads keeps this one whatever its size is
 * @param digest the digest of the whole file; null if it is not known at the beginning
 */
public record UploadPart(
    UploadId id, long offset, long size, boolean last, @Nullable Digest digest) {
  /** Creates a part up to the end of the file, whose digest may follow. */
  public UploadPart(UploadId id, long offset, long size) {
    this(id, offset, size, true, null);
  }

  /** Creates the first part of a new upload. */
  public static UploadPart first(long size) {
    return new UploadPart(UploadId.random(), 0, size);
  }

  /** Returns the same part of the id with the same bits of a caller. */
  public UploadPart of(String owner) {
    return new UploadPart(id.of(owner), offset, size, last, digest);
  }
}
