package dev.ferry.suites.own;

import example.blobs.Blob;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** What all ways to write the service have in common beside its messages. */
final class Blobs {
  private Blobs() {}

  /** Returns the first message of a file, which has its name and etag. */
  static Blob first(String name, Path file) throws IOException {
    long modified = Files.getLastModifiedTime(file).toMillis();
    return Blob.newBuilder().setName(name).setEtag(Long.toHexString(modified)).build();
  }

  /** Returns the file of a name in a folder. */
  static Path resolve(Path folder, String name) {
    Path file = folder.resolve(name).normalize();
    if (!file.startsWith(folder.normalize())) {
      throw Status.INVALID_ARGUMENT.withDescription(name + " is not in here").asRuntimeException();
    }
    return file;
  }

  static StatusRuntimeException status(IOException failure) {
    Status status = failure instanceof NoSuchFileException ? Status.NOT_FOUND : Status.INTERNAL;
    return status.withDescription(failure.toString()).withCause(failure).asRuntimeException();
  }
}
