package dev.ferry.core.upload;

/**
 * What one request sends of an upload that can be continued: the bytes from an offset to the end of
 * the file.
 *
 * @param id the upload
 * @param offset the first byte that is sent; as many bytes have arrived before
 * @param size bytes of the whole, unencoded file; negative if they are not known
 */
public record UploadPart(UploadId id, long offset, long size) {
  /** Creates the first part of a new upload. */
  public static UploadPart first(long size) {
    return new UploadPart(UploadId.random(), 0, size);
  }

  /** Returns the same part of the id with the same bits of a caller. */
  public UploadPart of(String owner) {
    return new UploadPart(id.of(owner), offset, size);
  }
}
