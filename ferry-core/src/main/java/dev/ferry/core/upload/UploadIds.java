package dev.ferry.core.upload;

import dev.ferry.core.FileFacts;
import org.jspecify.annotations.Nullable;

/**
 * Gives an upload its id, and may remember it, so that a later process can continue the upload.
 * Used by one thread.
 */
public interface UploadIds {
  /** Gives random ids and remembers none. */
  UploadIds RANDOM =
      new UploadIds() {
        @Override
        public @Nullable UploadId remembered(FileFacts local) {
          return null;
        }

        @Override
        public UploadId create(FileFacts local) {
          return UploadId.random();
        }

        @Override
        public void forget() {}
      };

  /**
   * Returns the id of an upload that an earlier process may have begun.
   *
   * @param local the facts of the file that is to be uploaded, with its version
   * @return null if no upload of this version is remembered
   */
  @Nullable UploadId remembered(FileFacts local);

  /**
   * Creates the id of a new upload. It replaces the one that is remembered.
   *
   * @param local the facts of the file that is uploaded, with its version
   */
  UploadId create(FileFacts local);

  /** Forgets the id: there is nothing to continue. */
  void forget();
}
