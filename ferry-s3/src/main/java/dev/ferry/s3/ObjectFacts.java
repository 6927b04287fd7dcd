package dev.ferry.s3;

import dev.ferry.core.Crc32c;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Sha256;
import dev.ferry.core.internal.Modes;
import dev.ferry.core.upload.UploadId;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/**
 * What Ferry keeps of a file as metadata of its object: its digests, its modification time and its
 * permissions as rclone does, its caller, and the id of its upload.
 */
final class ObjectFacts {
  private static final Logger LOG = LoggerFactory.getLogger(ObjectFacts.class);

  /** Seconds since 1970, with a fraction. */
  private static final String MODIFIED = "mtime";

  /** File type and permissions, in octal. */
  private static final String MODE = "mode";

  /** The type of files. */
  private static final int FILE = 0100000;

  private static final String CALLER = "ferry-caller";
  private static final String UPLOAD = "ferry-upload";

  private ObjectFacts() {}

  /** Returns the facts of an object. */
  static FileFacts of(String name, HeadObjectResponse head) {
    Map<String, String> metadata = head.metadata();
    Instant modified = modified(metadata.get(MODIFIED));
    FileFacts facts =
        new FileFacts(
            name,
            head.contentLength(),
            modified == null ? head.lastModified().truncatedTo(ChronoUnit.MILLIS) : modified,
            false,
            null);
    for (Digest.Algorithm algorithm : Digest.Algorithm.values()) {
      facts = facts.withDigest(digest(algorithm, metadata.get(key(algorithm))));
    }
    return facts.withMode(mode(metadata.get(MODE))).withVersion(Bucket.unquoted(head.eTag()));
  }

  /** Returns the facts of a folder. */
  static FileFacts folder(String name, Instant modified) {
    return new FileFacts(name, 0, modified.truncatedTo(ChronoUnit.MILLIS), true, null);
  }

  /**
   * Returns the metadata of a new object.
   *
   * @param id of the upload, by which its server recognizes what it has stored
   * @param digests those that are known
   */
  static Map<String, String> metadata(CreateOptions create, UploadId id, List<Digest> digests) {
    Map<String, String> metadata = new HashMap<>();
    for (Digest digest : digests) {
      metadata.put(key(digest.algorithm()), digest.toHex());
    }
    Instant modified = create.lastModified();
    if (modified != null) {
      setModified(metadata, modified);
    }
    Integer mode = create.mode();
    if (mode != null) {
      metadata.put(MODE, Integer.toOctalString(FILE | mode));
    }
    metadata.put(UPLOAD, id.toHex());
    if (!id.caller().isEmpty()) {
      metadata.put(CALLER, encoded(id.caller()));
    }
    return metadata;
  }

  /** Sets the modification time in the metadata of an object. */
  static void setModified(Map<String, String> metadata, Instant time) {
    metadata.put(
        MODIFIED, BigDecimal.valueOf(time.toEpochMilli()).movePointLeft(3).toPlainString());
  }

  /** Returns whether an object is what an upload has stored. */
  static boolean isOf(HeadObjectResponse head, UploadId id) {
    return id.toHex().equals(head.metadata().get(UPLOAD))
        && encoded(id.caller()).equals(head.metadata().getOrDefault(CALLER, ""));
  }

  /**
   * Returns whether an object is a copy of another one. It has the same upload, or the same entity
   * tag if Ferry has not stored the file: the tag of a copy may differ.
   */
  static boolean isCopy(HeadObjectResponse head, HeadObjectResponse source) {
    return source.contentLength().equals(head.contentLength())
        && source.metadata().equals(head.metadata())
        && (source.metadata().containsKey(UPLOAD)
            || Bucket.unquoted(source.eTag()).equals(Bucket.unquoted(head.eTag())));
  }

  /** Returns a name in the characters that a header field may have. */
  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  private static String key(Digest.Algorithm algorithm) {
    return "ferry-" + algorithm.id();
  }

  private static @Nullable Instant modified(@Nullable String seconds) {
    try {
      return seconds == null
          ? null
          : Instant.ofEpochMilli(new BigDecimal(seconds).movePointRight(3).longValue());
    } catch (NumberFormatException e) {
      LOG.debug("an object's {} is '{}', which is not a time", MODIFIED, seconds);
      return null;
    }
  }

  private static @Nullable Integer mode(@Nullable String mode) {
    try {
      return mode == null ? null : (Integer) (Integer.parseInt(mode, 8) & Modes.ALL);
    } catch (NumberFormatException e) {
      LOG.debug("an object's {} is '{}', which is not an octal number", MODE, mode);
      return null;
    }
  }

  private static @Nullable Digest digest(Digest.Algorithm algorithm, @Nullable String hex) {
    try {
      if (hex == null) {
        return null;
      }
      return switch (algorithm) {
        case CRC32C -> Crc32c.of(HexFormat.of().parseHex(hex));
        case SHA256 -> Sha256.of(HexFormat.of().parseHex(hex));
      };
    } catch (IllegalArgumentException | FerryException e) {
      // Other tools may write anything there.
      LOG.debug("an object's {} is '{}', which is not a digest", algorithm.id(), hex);
      return null;
    }
  }
}
