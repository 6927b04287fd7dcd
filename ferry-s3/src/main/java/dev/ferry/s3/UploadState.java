package dev.ferry.s3;

import dev.ferry.core.Crc32c;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Sha256;
import dev.ferry.core.StorePath;
import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadStatus;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the store keeps of an upload beside its parts: where it leads, and how it began.
 *
 * @param uploadId the id that the object store gave it
 * @param partBytes bytes of each part but the last
 * @param size bytes of the file; negative if they are not known
 * @param digest the digest of the file that its first request stated; null if it stated none
 * @param complete the facts of the file if the upload is complete; null if it is not
 */
record UploadState(
    StorePath path,
    CreateOptions create,
    String uploadId,
    int partBytes,
    long size,
    @Nullable Digest digest,
    @Nullable FileFacts complete) {
  private static final Logger LOG = LoggerFactory.getLogger(UploadState.class);

  UploadState withComplete(FileFacts facts) {
    return new UploadState(path, create, uploadId, partBytes, size, digest, facts);
  }

  KeptUpload kept(long received) {
    return new KeptUpload(
        path, create.withUpload(null), size, digest, new UploadStatus(received, complete));
  }

  byte[] toBytes() {
    Properties fields = new Properties();
    fields.setProperty("path", path.value());
    fields.setProperty("create-only", String.valueOf(create.createOnly()));
    fields.setProperty("make-parents", String.valueOf(create.makeParents()));
    set(fields, "replaced", create.replaced());
    set(fields, "modified", create.lastModified());
    set(fields, "mode", create.mode());
    fields.setProperty("upload", uploadId);
    fields.setProperty("part-bytes", String.valueOf(partBytes));
    fields.setProperty("size", String.valueOf(size));
    if (digest != null) {
      fields.setProperty(digest.algorithm().id(), digest.toHex());
    }
    if (complete != null) {
      fields.setProperty("complete.size", String.valueOf(complete.size()));
      fields.setProperty("complete.modified", complete.lastModified().toString());
      set(fields, "complete.version", complete.version());
      set(fields, "complete.mode", complete.mode());
      for (Digest known : complete.digests()) {
        fields.setProperty("complete." + known.algorithm().id(), known.toHex());
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      fields.store(new OutputStreamWriter(out, StandardCharsets.UTF_8), null);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static void set(Properties fields, String name, @Nullable Object value) {
    if (value != null) {
      fields.setProperty(name, value.toString());
    }
  }

  /**
   * Reads what {@link #toBytes} has written.
   *
   * @return null if it is something else
   */
  static @Nullable UploadState of(byte[] bytes) {
    try {
      Properties fields = new Properties();
      fields.load(new InputStreamReader(new ByteArrayInputStream(bytes), StandardCharsets.UTF_8));
      StorePath path = StorePath.parse(fields.getProperty("path", ""));
      String modified = fields.getProperty("modified");
      return new UploadState(
          path,
          new CreateOptions(
                  Boolean.parseBoolean(fields.getProperty("create-only")),
                  Boolean.parseBoolean(fields.getProperty("make-parents")))
              .withReplaced(fields.getProperty("replaced"))
              .withLastModified(modified == null ? null : Instant.parse(modified))
              .withMode(mode(fields, "mode")),
          fields.getProperty("upload", ""),
          Integer.parseInt(fields.getProperty("part-bytes", "")),
          Long.parseLong(fields.getProperty("size", "")),
          digest(fields, ""),
          complete(fields, path));
    } catch (IOException | RuntimeException e) {
      LOG.debug("what is kept of an upload cannot be read", e);
      return null;
    }
  }

  private static @Nullable FileFacts complete(Properties fields, StorePath path)
      throws FerryException {
    String size = fields.getProperty("complete.size");
    if (size == null) {
      return null;
    }
    Instant modified = Instant.parse(fields.getProperty("complete.modified", ""));
    return new FileFacts(path.value(), Long.parseLong(size), modified, false, null)
        .withMode(mode(fields, "complete.mode"))
        .withDigest(digest(fields, "complete."))
        .withVersion(fields.getProperty("complete.version"));
  }

  private static @Nullable Integer mode(Properties fields, String name) {
    String mode = fields.getProperty(name);
    return mode == null ? null : Integer.valueOf(mode);
  }

  private static @Nullable Digest digest(Properties fields, String prefix) throws FerryException {
    String crc = fields.getProperty(prefix + Digest.Algorithm.CRC32C.id());
    if (crc != null) {
      return Crc32c.of(HexFormat.of().parseHex(crc));
    }
    String sha256 = fields.getProperty(prefix + Digest.Algorithm.SHA256.id());
    return sha256 == null ? null : Sha256.of(HexFormat.of().parseHex(sha256));
  }
}
