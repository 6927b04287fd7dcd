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
 * @param mode the permissions of the file of which the new one is a copy, from 0 to 0777; null if
 *     they are not known, or for a transfer to take those of its source. A new file has no others,
 *     and not those that the umask of its receiver takes away. One that replaces another file keeps
 *     the permissions of that, and who may read it may execute it if that is so of the source.
 *     Without effect where the store cannot keep it
 * @param folderMode the same of the directories that are made for the file, which their owner may
 *     use in any case
 * @param upload the upload to begin or to continue, see {@link FileStore#create}; null for one that
 *     cannot be continued
 */
public record CreateOptions(
    boolean createOnly,
    boolean makeParents,
    @Nullable String replaced,
    @Nullable Instant lastModified,
    @Nullable Integer mode,
    @Nullable Integer folderMode,
    @Nullable UploadPart upload) {
  /** Replaces an existing file and creates no directories. */
  public static final CreateOptions DEFAULT = new CreateOptions(false, false);

  /** Creates options that replace any version of a file. */
  public CreateOptions(boolean createOnly, boolean makeParents) {
    this(createOnly, makeParents, null, null, null, null, null);
  }

  public CreateOptions withCreateOnly(boolean value) {
    return new CreateOptions(value, makeParents, replaced, lastModified, mode, folderMode, upload);
  }

  public CreateOptions withMakeParents(boolean value) {
    return new CreateOptions(createOnly, value, replaced, lastModified, mode, folderMode, upload);
  }

  public CreateOptions withReplaced(@Nullable String value) {
    return new CreateOptions(
        createOnly, makeParents, value, lastModified, mode, folderMode, upload);
  }

  public CreateOptions withLastModified(@Nullable Instant value) {
    return new CreateOptions(createOnly, makeParents, replaced, value, mode, folderMode, upload);
  }

  public CreateOptions withMode(@Nullable Integer value) {
    return new CreateOptions(
        createOnly, makeParents, replaced, lastModified, value, folderMode, upload);
  }

  public CreateOptions withFolderMode(@Nullable Integer value) {
    return new CreateOptions(createOnly, makeParents, replaced, lastModified, mode, value, upload);
  }

  public CreateOptions withUpload(@Nullable UploadPart value) {
    return new CreateOptions(
        createOnly, makeParents, replaced, lastModified, mode, folderMode, value);
  }
}
