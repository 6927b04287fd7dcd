package dev.ferry.grpc.internal;

import com.google.protobuf.ByteString;
import dev.ferry.contract.v1.FileEnd;
import dev.ferry.contract.v1.FilePart;
import dev.ferry.contract.v1.UploadOptions;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Sha256;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Converts facts, digests and options to and from their protobuf messages. */
final class Facts {
  private Facts() {}

  static dev.ferry.contract.v1.FileFacts toMessage(FileFacts facts) {
    var message =
        dev.ferry.contract.v1.FileFacts.newBuilder()
            .setName(facts.name())
            .setSize(facts.size())
            .setLastModifiedMillis(facts.lastModified().toEpochMilli())
            .setDirectory(facts.directory());
    Sha256 digest = facts.sha256();
    if (digest != null) {
      message.setSha256(ByteString.copyFrom(digest.toBytes()));
    }
    return message.build();
  }

  static FileFacts fromMessage(dev.ferry.contract.v1.FileFacts message) throws FerryException {
    return new FileFacts(
        message.getName(),
        message.getSize(),
        Instant.ofEpochMilli(message.getLastModifiedMillis()),
        message.getDirectory(),
        digest(message.getSha256()));
  }

  static UploadOptions toMessage(CreateOptions options, boolean digestFollows) {
    return UploadOptions.newBuilder()
        .setCreateOnly(options.createOnly())
        .setMakeParents(options.makeParents())
        .setDigestFollows(digestFollows)
        .build();
  }

  static CreateOptions fromMessage(UploadOptions message) {
    return new CreateOptions(message.getCreateOnly(), message.getMakeParents());
  }

  static @Nullable Sha256 digest(ByteString bytes) throws FerryException {
    return bytes.isEmpty() ? null : Sha256.of(bytes.toByteArray());
  }

  static FilePart end(Sha256 digest) {
    return FilePart.newBuilder()
        .setEnd(FileEnd.newBuilder().setSha256(ByteString.copyFrom(digest.toBytes())))
        .build();
  }
}
