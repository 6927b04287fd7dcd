package dev.ferry.suites.rival;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.OptionalLong;

/** The part of a carrier that rows time. Used by one thread. */
public interface TransferClient extends AutoCloseable {
  /** Prepares for a sample, outside of the timed part. Called before each sample. */
  default void prepare() throws IOException {}

  /** As {@link Carrier#download}. */
  Transfer download(StorePath path, Path target, TransferOptions options) throws FerryException;

  /** As {@link Carrier#upload}. */
  Transfer upload(Path source, StorePath path, TransferOptions options) throws FerryException;

  /**
   * Nanoseconds of the last transfer by the clock of the program that did it, if telling the
   * program so and hearing of it is no part of the transfer; empty if the caller's clock is the
   * right one.
   */
  default OptionalLong ownNanos() {
    return OptionalLong.empty();
  }

  /** Stops the client. */
  @Override
  void close();

  /** A transfer of a file without an encoding. */
  static Transfer plain(StorePath path, Path file, String protocol) throws IOException {
    FileFacts facts =
        FileFacts.of(path.value(), Files.readAttributes(file, BasicFileAttributes.class));
    return new Transfer(facts, facts.size(), protocol, "identity");
  }

  /** That part of a carrier. */
  static TransferClient of(Carrier carrier) {
    return new TransferClient() {
      @Override
      public Transfer download(StorePath path, Path target, TransferOptions options)
          throws FerryException {
        return carrier.download(path, target, options);
      }

      @Override
      public Transfer upload(Path source, StorePath path, TransferOptions options)
          throws FerryException {
        return carrier.upload(source, path, options);
      }

      @Override
      public void close() {
        carrier.close();
      }
    };
  }
}
