package dev.ferry.grpc.internal;

import com.google.protobuf.ByteString;
import dev.ferry.core.Crc32c;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.Sha256;
import dev.ferry.core.internal.Modes;
import dev.ferry.wire.internal.v1.DigestAlgorithm;
import dev.ferry.wire.internal.v1.FileEnd;
import dev.ferry.wire.internal.v1.FilePart;
import dev.ferry.wire.internal.v1.UploadOptions;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Converts facts, digests and options to and from their protobuf messages. */
final class Facts {
  private Facts() {}

  static dev.ferry.wire.internal.v1.FileFacts toMessage(FileFacts facts) {
    var message =
        dev.ferry.wire.internal.v1.FileFacts.newBuilder()
            .setName(facts.name())
            .setDirectory(facts.directory());
    if (facts.size() != FileFacts.UNKNOWN_SIZE) {
      message.setSize(facts.size());
    }
    if (!facts.lastModified().equals(FileFacts.UNKNOWN_TIME)) {
      message.setLastModifiedMillis(facts.lastModified().toEpochMilli());
    }
    LeftOut leftOut = facts.leftOut();
    if (leftOut != null) {
      message.setLeftOut(dev.ferry.wire.internal.v1.LeftOut.valueOf(leftOut.name()));
    }
    Sha256 digest = facts.sha256();
    if (digest != null) {
      message.setSha256(ByteString.copyFrom(digest.toBytes()));
    }
    Crc32c crc = facts.crc32c();
    if (crc != null) {
      message.setCrc32C(crc.value());
    }
    String version = facts.version();
    if (version != null) {
      message.setVersion(version);
    }
    Integer mode = facts.mode();
    if (mode != null) {
      message.setMode(mode);
    }
    String link = facts.link();
    if (link != null) {
      message.setLink(link);
    }
    return message.build();
  }

  /**
   * Returns the facts in a message.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if a digest has another length
   *     than its algorithm, or if the size exceeds 2^63 - 1 bytes
   */
  static FileFacts fromMessage(dev.ferry.wire.internal.v1.FileFacts message) throws FerryException {
    if (message.getSize() < 0) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          "size " + Long.toUnsignedString(message.getSize()) + " is over 2^63 - 1");
    }
    return new FileFacts(
        message.getName(),
        message.getSize(),
        message.hasLastModifiedMillis()
            ? Instant.ofEpochMilli(message.getLastModifiedMillis())
            : FileFacts.UNKNOWN_TIME,
        message.getDirectory(),
        sha256(message.getSha256()),
        message.hasCrc32C() ? new Crc32c(message.getCrc32C()) : null,
        message.getVersion().isEmpty() ? null : message.getVersion(),
        leftOut(message.getLeftOut()),
        mode(message.hasMode(), message.getMode()),
        message.hasLink() ? message.getLink() : null);
  }

  /** Returns the reason; that of a later version is one that no reader can do anything about. */
  private static @Nullable LeftOut leftOut(dev.ferry.wire.internal.v1.LeftOut reason) {
    return switch (reason) {
      case NOT_LEFT_OUT -> null;
      case SPECIAL, LINK, LOOP, TREE, NAME -> LeftOut.valueOf(reason.name());
      case UNREADABLE, UNRECOGNIZED -> LeftOut.UNREADABLE;
    };
  }

  /**
   * @param digest the algorithm of the digest that follows; null if none follows
   */
  static UploadOptions toMessage(CreateOptions options, Digest.@Nullable Algorithm digest) {
    UploadOptions.Builder message =
        UploadOptions.newBuilder()
            .setCreateOnly(options.createOnly())
            .setMakeParents(options.makeParents())
            .setDigestFollows(digest != null)
            .setDigestAlgorithm(toMessage(digest));
    Integer mode = options.folderMode();
    if (mode != null) {
      message.setFolderMode(mode);
    }
    return message.build();
  }

  static CreateOptions fromMessage(UploadOptions message) {
    return new CreateOptions(message.getCreateOnly(), message.getMakeParents())
        .withFolderMode(mode(message.hasFolderMode(), message.getFolderMode()));
  }

  /** Returns the permissions alone; null if there is no mode. */
  static @Nullable Integer mode(boolean given, int mode) {
    return given ? (Integer) (mode & Modes.ALL) : null;
  }

  /** Returns the modification time that a new file is to have; null if it is not given. */
  static @Nullable Instant lastModified(dev.ferry.wire.internal.v1.FileFacts message) {
    return message.hasLastModifiedMillis()
        ? Instant.ofEpochMilli(message.getLastModifiedMillis())
        : null;
  }

  /** Returns the algorithm to request; the default if there is none. */
  static DigestAlgorithm toMessage(Digest.@Nullable Algorithm algorithm) {
    return algorithm == Digest.Algorithm.CRC32C ? DigestAlgorithm.CRC_32C : DigestAlgorithm.SHA_256;
  }

  /** Returns SHA-256 for algorithms of a later version. */
  static Digest.Algorithm fromMessage(DigestAlgorithm algorithm) {
    return algorithm == DigestAlgorithm.CRC_32C ? Digest.Algorithm.CRC32C : Digest.Algorithm.SHA256;
  }

  private static @Nullable Sha256 sha256(ByteString bytes) throws FerryException {
    return bytes.isEmpty() ? null : Sha256.of(bytes.toByteArray());
  }

  /** Returns the digest of an end; null if there is none. */
  static @Nullable Digest digest(FileEnd end) throws FerryException {
    Sha256 sha256 = sha256(end.getSha256());
    return sha256 == null && end.hasCrc32C() ? new Crc32c(end.getCrc32C()) : sha256;
  }

  static FilePart end(Digest digest) {
    FileEnd.Builder end = FileEnd.newBuilder();
    if (digest instanceof Crc32c crc) {
      end.setCrc32C(crc.value());
    } else {
      end.setSha256(ByteString.copyFrom(digest.toBytes()));
    }
    return FilePart.newBuilder().setEnd(end).build();
  }
}
