package dev.ferry.core.local;

import dev.ferry.core.Carrier;
import dev.ferry.core.Carriers;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.FerryException;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.RepeatedCall;
import dev.ferry.core.upload.UploadIds;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Uploads a file, and goes on where the server is after a failure that {@link Retries} repeats. If
 * the server cannot continue uploads, or has not kept this one, the upload begins anew, unless the
 * server's file equals the local one: then only the response was lost.
 *
 * <p>If the local file changes meanwhile, the upload begins anew. After the last attempt, the
 * server is asked to discard what has arrived, unless it cannot be reached: with {@link UploadIds}
 * that remember, a later process then goes on where the server is.
 */
public final class Upload {
  /** Decides over each connection before the first byte of the file is sent. */
  @FunctionalInterface
  public interface Check {
    /**
     * Checks that the upload can succeed, and decides whether to begin it.
     *
     * @return what may exist, or be missing, at the path of the file; null if the file is not to be
     *     uploaded
     * @throws FerryException if it cannot succeed, or if a request fails
     */
    @Nullable CreateOptions decide(Carrier carrier) throws FerryException;
  }

  private Upload() {}

  /**
   * Uploads a file, as {@link Carrier#upload} does.
   *
   * @param options a rest of the file is not compressed
   * @param retries which attempts follow a failure
   * @param ids may know the id of an upload that an earlier process began
   * @return null if the check decides so
   */
  public static @Nullable Transfer run(
      Carriers carriers,
      Path source,
      StorePath path,
      TransferOptions options,
      Retries retries,
      Check check,
      UploadIds ids)
      throws FerryException {
    RunningUpload upload = new RunningUpload(source, path, options, check, ids);
    try (RepeatedCall call = RepeatedCall.begin(carriers, retries, options.timeout())) {
      while (true) {
        try {
          Transfer transfer = upload.attempt(call.carrier());
          ids.forget();
          call.succeeded();
          return transfer;
        } catch (FerryException e) {
          if (upload.beginsAnew(e)) {
            call.anew(e);
          } else {
            call.again(e, upload.progressed());
          }
        }
      }
    } catch (FerryException e) {
      upload.giveUp(e, carriers);
      throw e;
    }
  }
}
