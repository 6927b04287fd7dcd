package dev.ferry.s3;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.PlainText;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * The entries of a folder. They are read at once, page by page, and sorted: the object store sorts
 * a folder by its name with a slash behind it, which is another order.
 */
final class ObjectListing implements Listing {

  /** Estimated bytes of an entry beside its name. */
  private static final int ENTRY_BYTES = 200;

  private static final int KIB = 1024;

  private final String name;
  private final Semaphore room;
  private final List<FileFacts> entries;
  private int held;
  private int next;
  private boolean closed;

  private ObjectListing(String name, Semaphore room) {
    this.name = name;
    this.room = room;
    this.entries = new ArrayList<>();
  }

  /**
   * Reads a folder.
   *
   * @param room KiB of memory that all open listings together may use
   * @return null if there is no such folder
   * @throws FerryException with {@link ErrorKind#OVERLOADED} if there is no room
   */
  static @Nullable ObjectListing open(Bucket bucket, StorePath folder, Semaphore room)
      throws FerryException {
    ObjectListing listing = new ObjectListing(folder.value(), room);
    try {
      if (listing.read(bucket, folder)) {
        return listing;
      }
      listing.close();
      return null;
    } catch (FerryException | RuntimeException e) {
      listing.close();
      throw e;
    }
  }

  /** Returns whether there is such a folder. */
  private boolean read(Bucket bucket, StorePath folder) throws FerryException {
    String below = bucket.folderKey(folder);
    boolean exists = folder.equals(StorePath.ROOT);
    String token = null;
    do {
      ListObjectsV2Response page = bucket.list(below, true, Bucket.PAGE, token, name);
      int bytes = 0;
      for (S3Object object : page.contents()) {
        exists = true;
        bytes += add(folder, object.key().substring(below.length()), object);
      }
      for (CommonPrefix prefix : page.commonPrefixes()) {
        exists = true;
        String child = prefix.prefix().substring(below.length(), prefix.prefix().length() - 1);
        bytes += add(folder, child, null);
      }
      reserve(bytes / KIB + 1);
      token = page.nextContinuationToken();
    } while (token != null);
    entries.sort(
        Comparator.comparing(FileFacts::name, ObjectListing::byCodePoints)
            .thenComparing(FileFacts::directory));
    for (int i = 1; i < entries.size(); i++) {
      String child = entries.get(i).name();
      if (child.equals(entries.get(i - 1).name())) {
        // A bucket may have a file and a folder of one name, of which requests find the file.
        entries.set(i, FileFacts.leftOut(PlainText.of(child + "/"), LeftOut.NAME));
      }
    }
    return exists;
  }

  /** Adds an entry, unless it stands for the folder itself or is Ferry's own. Returns its bytes. */
  private int add(StorePath folder, String child, @Nullable S3Object file) {
    boolean own = folder.equals(StorePath.ROOT) && UploadFolder.ALL.equals(child + "/");
    if (own || (file != null && child.isEmpty())) {
      return 0;
    }
    StorePath path = folder.child(child);
    entries.add(facts(path, file));
    return ENTRY_BYTES + path.value().length();
  }

  private static FileFacts facts(StorePath key, @Nullable S3Object file) {
    StorePath path = null;
    try {
      path = Bucket.isKey(key.value()) ? StorePath.parse(key.value()) : null;
    } catch (FerryException e) {
      // For instance because of two slashes in its key.
      path = null;
    }
    if (path == null) {
      return FileFacts.leftOut(PlainText.of(key.value()), LeftOut.NAME);
    }
    return file == null
        ? ObjectFacts.folder(path.value(), FileFacts.UNKNOWN_TIME)
        : new FileFacts(
            path.value(),
            file.size(),
            file.lastModified().truncatedTo(ChronoUnit.MILLIS),
            false,
            null);
  }

  private void reserve(int kib) throws FerryException {
    if (!room.tryAcquire(kib)) {
      throw new FerryException(
          ErrorKind.OVERLOADED,
          name + ": the open listings use all the memory for names; try again");
    }
    held += kib;
  }

  /** Compares as UTF-8 does. */
  private static int byCodePoints(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        boolean bothSurrogates = Character.isSurrogate(x) == Character.isSurrogate(y);
        return bothSurrogates ? Character.compare(x, y) : Character.isSurrogate(x) ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  @Override
  public synchronized @Nullable FileFacts next() throws FerryException {
    if (closed) {
      throw new FerryException(ErrorKind.CANCELLED, name + ": the listing is closed");
    }
    return next < entries.size() ? entries.get(next++) : null;
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      entries.clear();
      room.release(held);
    }
  }
}
