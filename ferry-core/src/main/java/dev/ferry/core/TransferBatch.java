package dev.ferry.core;

import dev.ferry.core.local.LocalFileSink;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Many small files that are transferred one after another. Several calls of carriers may take items
 * of one batch at the same time. Thread-safe.
 */
@FunctionalInterface
public interface TransferBatch {
  /**
   * Takes the next item.
   *
   * @param wait whether to wait for one
   * @return null if there are no more, or none yet if this does not wait
   * @throws FerryException to end the call of the carrier
   */
  @Nullable Item next(boolean wait) throws FerryException;

  /**
   * One file. When its transfer is over, either {@link #done} or {@link #failed} is called, on the
   * thread of the call. The failure of one item is none of the others.
   */
  interface Item {
    /** The file on the server. */
    StorePath path();

    /** The local file. */
    Path file();

    /** Whether the local file is uploaded; otherwise it is downloaded. */
    boolean isUpload();

    /** Bytes of the file as far as they are known: how many bytes are under way depends on it. */
    long size();

    TransferOptions options();

    /** Opens the local file of a download. */
    default FileSink create(FileFacts facts) throws FerryException {
      return LocalFileSink.create(file(), options().sink(facts));
    }

    /** Transfers the file as if there were no others. */
    default Transfer transfer(Carrier carrier) throws FerryException {
      return isUpload()
          ? carrier.upload(file(), path(), options())
          : carrier.download(path(), this::create, options());
    }

    /** The file is complete, and its digest was compared if the options want that. */
    void done(Transfer transfer);

    /**
     * The transfer failed. If the failure is an {@link Outage}, an upload may have been stored
     * nevertheless.
     */
    void failed(FerryException failure);
  }
}
