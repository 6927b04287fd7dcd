package dev.ferry.core.upload;

import dev.ferry.core.FileFacts;
import org.jspecify.annotations.Nullable;

/**
 * How far an upload is.
 *
 * @param received bytes that are stored, from the first; the upload goes on behind them
 * @param complete the facts of the file, with the digest that was compared, if the upload is
 *     complete; null if it is not
 */
public record UploadStatus(long received, @Nullable FileFacts complete) {}
