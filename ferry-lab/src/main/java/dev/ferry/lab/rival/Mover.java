package dev.ferry.lab.rival;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import java.nio.file.Path;

/** The part of a carrier that rows time. Used by one thread. */
public interface Mover extends AutoCloseable {
  /** As {@link Carrier#download}. */
  Transfer download(StorePath path, Path target, TransferOptions options) throws FerryException;

  /** As {@link Carrier#upload}. */
  Transfer upload(Path source, StorePath path, TransferOptions options) throws FerryException;

  /** Stops the client. */
  @Override
  void close();

  /** That part of a carrier. */
  static Mover of(Carrier carrier) {
    return new Mover() {
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
