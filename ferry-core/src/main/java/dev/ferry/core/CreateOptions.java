package dev.ferry.core;

import dev.ferry.core.upload.UploadPart;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Conditions for creating a file.
 *
 * @param createOnly whether an existing file is an error, {@link ErrorKind#ALREADY_EXISTS}, instead
 *     of being replaced
 * @param makeParents whether missing parent directories are created, instead of being an error,
 *     {@link ErrorKind#NOT_FOUND}
 * @param replaced the {@linkplain FileFacts#version version} of the file that is replaced; if the
 *     file has another version, or does not exist, when it would be replaced, {@link
 *     ErrorKind#VERSION_MISMATCH}; null means any file or none
 * @param lastModified the modification time of the new file, to the millisecond; null for the time
 *     of its last write
 * @param executable whether all who may read the new file may execute it, too; without effect where
 *     the store cannot keep it
 * @param upload the upload to begin or to continue, see {@link FileStore#create}; null for one that
 *     cannot be continued
 */
public record CreateOptions(
    boolean createOnly,
    boolean makeParents,
    @Nullable String replaced,
    @Nullable Instant lastModified,
    boolean executable,
    @Nullable UploadPart upload) {
  /** Replaces an existing file and creates no directories. */
  public static final CreateOptions DEFAULT = new CreateOptions(false, false);

  /** Creates options that replace any version of a file. */
  public CreateOptions(boolean createOnly, boolean makeParents) {
    this(createOnly, makeParents, null, null, false, null);
  }

  public CreateOptions withCreateOnly(boolean value) {
    return new CreateOptions(value, makeParents, replaced, lastModified, executable, upload);
  }

  public CreateOptions withMakeParents(boolean value) {
    return new CreateOptions(createOnly, value, replaced, lastModified, executable, upload);
  }

  public CreateOptions withReplaced(@Nullable String value) {
    return new CreateOptions(createOnly, makeParents, value, lastModified, executable, upload);
  }

  public CreateOptions withLastModified(@Nullable Instant value) {
    return new CreateOptions(createOnly, makeParents, replaced, value, executable, upload);
  }

  public CreateOptions withExecutable(boolean value) {
    return new CreateOptions(createOnly, makeParents, replaced, lastModified, value, upload);
  }

  public CreateOptions withUpload(@Nullable UploadPart value) {
    return new CreateOptions(createOnly, makeParents, replaced, lastModified, executable, value);
  }
}
