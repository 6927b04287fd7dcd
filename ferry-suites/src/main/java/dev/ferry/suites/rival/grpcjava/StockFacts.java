package dev.ferry.suites.rival.grpcjava;

import com.google.protobuf.ByteString;
import dev.ferry.core.Crc32c;
import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Sha256;
import dev.ferry.suites.files.v1.DigestAlgorithm;
import dev.ferry.suites.files.v1.FileEnd;
import dev.ferry.suites.files.v1.FilePart;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the streams of a file say beside its bytes, to and from generated messages. */
final class StockFacts {
  private StockFacts() {}

  static dev.ferry.suites.files.v1.FileFacts toMessage(FileFacts facts, String name) {
    var message =
        dev.ferry.suites.files.v1.FileFacts.newBuilder()
            .setName(name)
            .setSize(facts.size())
            .setLastModifiedMillis(facts.lastModified().toEpochMilli());
    Integer mode = facts.mode();
    if (mode != null) {
      message.setMode(mode);
    }
    Sha256 sha256 = facts.sha256();
    if (sha256 != null) {
      message.setSha256(ByteString.copyFrom(sha256.toBytes()));
    }
    Crc32c crc32c = facts.crc32c();
    if (crc32c != null) {
      message.setCrc32C(crc32c.value());
    }
    return message.build();
  }

  static FileFacts fromMessage(dev.ferry.suites.files.v1.FileFacts message) throws FerryException {
    FileFacts facts =
        new FileFacts(
                message.getName(),
                message.getSize(),
                Instant.ofEpochMilli(message.getLastModifiedMillis()),
                false,
                null)
            .withMode(message.hasMode() ? message.getMode() : null);
    Digest digest = digest(message.getSha256(), message.hasCrc32C(), message.getCrc32C());
    return digest == null ? facts : facts.withDigests(List.of(digest));
  }

  /** Returns the digest of an end; null if it has none. */
  static @Nullable Digest digest(FileEnd end) throws FerryException {
    return digest(end.getSha256(), end.hasCrc32C(), end.getCrc32C());
  }

  private static @Nullable Digest digest(ByteString sha256, boolean hasCrc32c, int crc32c)
      throws FerryException {
    if (!sha256.isEmpty()) {
      return Sha256.of(sha256.toByteArray());
    }
    return hasCrc32c ? new Crc32c(crc32c) : null;
  }

  static FilePart end(Digest digest) {
    FileEnd.Builder end = FileEnd.newBuilder();
    if (digest instanceof Crc32c crc32c) {
      end.setCrc32C(crc32c.value());
    } else {
      end.setSha256(ByteString.copyFrom(digest.toBytes()));
    }
    return FilePart.newBuilder().setEnd(end).build();
  }

  static DigestAlgorithm toMessage(Digest.@Nullable Algorithm algorithm) {
    return algorithm == Digest.Algorithm.CRC32C ? DigestAlgorithm.CRC_32C : DigestAlgorithm.SHA_256;
  }

  static Digest.Algorithm fromMessage(DigestAlgorithm algorithm) {
    return algorithm == DigestAlgorithm.CRC_32C ? Digest.Algorithm.CRC32C : Digest.Algorithm.SHA256;
  }
}
