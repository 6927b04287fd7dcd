package dev.ferry.s3;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/** Sends the parts of one upload, several at a time. Thread-safe. */
final class PartsUpload {
  private final Bucket bucket;
  private final StorePath path;
  private final UploadState state;
  private final UploadFolder folder;
  private final Slabs.Share slabs;
  private final Executor requests;
  private final SortedMap<Integer, String> tags = new TreeMap<>();
  private int sending;
  private @Nullable FerryException failure;

  /**
   * @param folder the state of the upload
   * @param requests runs requests, which wait for the network
   */
  PartsUpload(
      Bucket bucket, UploadState state, UploadFolder folder, Slabs.Share slabs, Executor requests) {
    this.bucket = bucket;
    this.path = state.path();
    this.state = state;
    this.folder = folder;
    this.slabs = slabs;
    this.requests = requests;
  }

  UploadState state() {
    return state;
  }

  UploadFolder folder() {
    return folder;
  }

  /** Adds the parts that arrived before. */
  synchronized void add(Collection<UploadFolder.Arrived> parts) {
    parts.forEach(part -> tags.put(part.number(), part.tag()));
  }

  /**
   * Sends a part. Waits while as many are being sent as may be.
   *
   * @param number its number, from 1
   * @param content a slab, which this object gives back
   * @param most parts that may be sent at a time
   */
  void send(int number, ByteBuffer content, int crc, int most) throws FerryException {
    try {
      await(most - 1);
      synchronized (this) {
        sending++;
      }
    } catch (FerryException e) {
      slabs.give(content);
      throw e;
    }
    try {
      requests.execute(() -> sendNow(number, content, crc));
    } catch (RejectedExecutionException e) {
      ended(content, closing(e));
      throw closing(e);
    }
  }

  private FerryException closing(RejectedExecutionException e) {
    return new FerryException(
        ErrorKind.UNAVAILABLE, path + ": the server is closing; try again", e);
  }

  private void sendNow(int number, ByteBuffer content, int crc) {
    FerryException failed = null;
    try {
      String tag =
          bucket.putPart(bucket.key(path), state.uploadId(), number, content, path.value());
      folder.arrived(number, crc);
      synchronized (this) {
        tags.put(number, tag);
      }
    } catch (FerryException e) {
      failed = e.kind() == ErrorKind.NOT_FOUND ? gone(e) : e;
    } catch (RuntimeException | Error e) {
      // Also an Error: whoever waits for the part has to learn of it.
      failed = new FerryException(ErrorKind.INTERNAL, path + ": a part cannot be sent: " + e, e);
    } finally {
      ended(content, failed);
    }
  }

  /** The client learns at its next attempt whether the upload is complete or is to begin anew. */
  FerryException gone(FerryException e) {
    return new FerryException(
            ErrorKind.UNAVAILABLE, path + ": another server has ended the upload", e)
        .withRetryAfter(Duration.ZERO);
  }

  private void ended(ByteBuffer content, @Nullable FerryException failed) {
    slabs.give(content);
    synchronized (this) {
      sending--;
      failure = failure == null ? failed : failure;
      notifyAll();
    }
  }

  /**
   * Waits until no more than a number of parts is being sent.
   *
   * @throws FerryException with the failure of a part
   */
  synchronized void await(int most) throws FerryException {
    while (sending > most && failure == null) {
      try {
        wait();
      } catch (InterruptedException e) {
        throw FerryException.interrupted(path + ": the server is closing", e);
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Waits for one of the parts that are being sent; returns at once if there are none. */
  synchronized void awaitOne() throws FerryException {
    await(Math.max(0, sending - 1));
  }

  /** Waits until no part is being sent, also after a failure. */
  synchronized void settle() throws InterruptedException {
    while (sending > 0) {
      wait();
    }
  }

  /** Returns all parts in the order of their numbers. */
  synchronized List<CompletedPart> parts() {
    List<CompletedPart> parts = new ArrayList<>();
    tags.forEach(
        (number, tag) -> parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build()));
    return parts;
  }
}
