package dev.ferry.core.upload;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.StorePath;
import org.jspecify.annotations.Nullable;

/**
 * An upload that a store keeps until it is continued or expires.
 *
 * @param path the file that it creates
 * @param create the conditions of its first request
 * @param size bytes of the whole file; negative if they are not known
 * @param digest the digest of the whole file that its first request stated; null if it stated none
 * @param status how far it is
 */
public record KeptUpload(
    StorePath path,
    CreateOptions create,
    long size,
    @Nullable Digest digest,
    UploadStatus status) {}
