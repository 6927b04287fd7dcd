package dev.ferry.core.local;

import dev.ferry.core.Carrier;
import dev.ferry.core.Carriers;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.TimeLeft;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Downloads a file over one or several connections, and goes on where it was after a failure that
 * {@link Retries} repeats. All bytes are written to one temporary file.
 *
 * <p>With one connection, the first request is for the whole file. If it fails, the rest of the
 * file is requested as a part of the same version.
 *
 * <p>With several, the first request is for the first {@value #LEAST_PART} bytes. Its response
 * states the size and the version of the file. The rest is then divided into equal parts, one for
 * each connection, all of that version. A file of less than {@value #LEAST_PART} bytes for each
 * connection uses fewer. A server that sends the whole file instead, as it may over HTTP, does so
 * in this one request. If a part fails, its rest is requested.
 *
 * <p>The digest of a file that was received in parts is requested beside them. If the file has no
 * version, or another one after a failure, the download begins anew. After the last attempt,
 * nothing is left, unless the server cannot be reached, or the download is cancelled, and a {@link
 * RememberedDownload} keeps what has arrived: a later process then goes on where this one was. It
 * also does so if this one is killed.
 */
public final class Download {
  /** Maximum number of connections. */
  public static final int MAX_STREAMS = 64;

  /** Bytes of the first part, and of the file for each connection at least. */
  public static final long LEAST_PART = 1024 * 1024;

  private Download() {}

  /**
   * Downloads a file, as {@link Carrier#download} does. For another file system than the default
   * one, such as a zip archive, it is received in the folder of temporary files, and then copied.
   *
   * @param streams connections, from 1 to {@value #MAX_STREAMS}
   * @param options options without compression if there are several connections; with one, what is
   *     requested after a failure is not compressed
   * @param retries which attempts follow a failure
   * @throws IllegalArgumentException if the number of connections or the compression is not allowed
   */
  public static Transfer run(
      Carriers carriers,
      int streams,
      StorePath path,
      Path target,
      TransferOptions options,
      Retries retries)
      throws FerryException {
    RememberedDownload none = RememberedDownload.none(path, target);
    return run(carriers, streams, path, target, options, retries, none);
  }

  /**
   * Downloads a file as the method without a memory, and resumes what an earlier process began.
   * With several connections, or without a digest to verify, it begins with the first byte.
   *
   * @param memory of a download of the same file to the same target; its owner closes it
   */
  public static Transfer run(
      Carriers carriers,
      int streams,
      StorePath path,
      Path target,
      TransferOptions options,
      Retries retries,
      RememberedDownload memory)
      throws FerryException {
    if (streams < 1 || streams > MAX_STREAMS) {
      throw new IllegalArgumentException(streams + " streams are not from 1 to " + MAX_STREAMS);
    }
    if (streams > 1 && options.compression() != null) {
      throw new IllegalArgumentException("parts of a file are not compressed");
    }
    if (ForeignFile.is(target)) {
      return ForeignFile.receive(
          target,
          options.create(),
          (staged, create) ->
              run(
                  carriers,
                  streams,
                  path,
                  staged,
                  options.withCreate(create),
                  retries,
                  RememberedDownload.none(path, staged)));
    }
    // What arrives over several connections is not in order.
    boolean remembers = streams == 1 && options.digest() != null;
    RememberedDownload used = remembers ? memory : RememberedDownload.none(path, target);
    Connections connections = new Connections(carriers, options.limits(), retries);
    boolean done = false;
    try {
      Transfer transfer = run(connections, streams, path, target, options, retries, used);
      memory.forget();
      done = true;
      return transfer;
    } finally {
      connections.end(done);
    }
  }

  private static Transfer run(
      Connections connections,
      int streams,
      StorePath path,
      Path target,
      TransferOptions options,
      Retries retries,
      RememberedDownload memory)
      throws FerryException {
    TimeLeft left = new TimeLeft(options.timeout());
    Retries.Attempts attempts = retries.begin(options.timeout());
    boolean withoutEarlier = false;
    while (true) {
      Steps steps = new Steps(path.value());
      RunningDownload download =
          new RunningDownload(connections, steps, streams, path, target, options, memory, left);
      try {
        return download.run();
      } catch (FerryException e) {
        if (!withoutEarlier && memory.failedByEarlier(e)) {
          // Once, even if what the earlier process has left cannot be deleted.
          withoutEarlier = true;
          retries.listener().again(e, Duration.ZERO);
        } else if (e.kind() == ErrorKind.FILE_CHANGED) {
          attempts.anew(e);
        } else {
          throw e;
        }
      }
    }
  }
}
