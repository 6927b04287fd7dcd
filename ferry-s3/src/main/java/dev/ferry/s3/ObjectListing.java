package dev.ferry.s3;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.NameMemory;
import dev.ferry.core.internal.PlainText;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.CommonPrefix;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * The entries of a folder, or of a whole tree. They are read at once, page by page, and sorted: the
 * object store sorts a folder by its name with a slash behind it, which is another order.
 */
final class ObjectListing implements Listing {

  /** Estimated bytes of an entry beside its name. */
  private static final int ENTRY_BYTES = 200;

  /** More keys of a tree would keep its client waiting too long for the first entry. */
  private static final int MOST_OF_TREE = 100_000;

  private final String name;
  private final NameMemory.Share memory;
  private final List<FileFacts> entries;
  private long held;
  private int next;
  private boolean closed;

  private ObjectListing(String name, NameMemory memory, String holder) {
    this.name = name;
    this.memory = memory.share(holder, name);
    this.entries = new ArrayList<>();
  }

  /**
   * Reads a folder.
   *
   * @param memory that of all open listings
   * @param holder whose share of it the listing has
   * @return null if there is no such folder
   * @throws FerryException with {@link ErrorKind#OVERLOADED} if there is too little memory
   */
  static @Nullable ObjectListing open(
      Bucket bucket, StorePath folder, NameMemory memory, String holder) throws FerryException {
    ObjectListing listing = new ObjectListing(folder.value(), memory, holder);
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

  /**
   * Reads a folder and all that is below it.
   *
   * @return null if there is no such folder, or too much in it
   */
  static @Nullable ObjectListing openTree(
      Bucket bucket, StorePath folder, NameMemory memory, String holder) throws FerryException {
    ObjectListing listing = new ObjectListing(folder.value(), memory, holder);
    try {
      if (listing.readTree(bucket, folder)) {
        return listing;
      }
      listing.close();
      return null;
    } catch (FerryException | RuntimeException e) {
      listing.close();
      if (e instanceof FerryException full && full.kind() == ErrorKind.OVERLOADED) {
        // Folder by folder there may be enough.
        return null;
      }
      throw e;
    }
  }

  /** Returns whether there is such a folder, which is small enough. */
  private boolean readTree(Bucket bucket, StorePath folder) throws FerryException {
    String below = bucket.folderKey(folder);
    // A file is before a folder of the same name.
    SortedMap<FileFacts, FileFacts> tree =
        new TreeMap<>(
            Comparator.comparing(FileFacts::name, StorePath::compare)
                .thenComparing(FileFacts::directory));
    boolean exists = folder.equals(StorePath.ROOT);
    String token = null;
    int keys = 0;
    do {
      ListObjectsV2Response page = bucket.list(below, false, Bucket.PAGE, token, name);
      keys += page.contents().size();
      if (keys > MOST_OF_TREE) {
        return false;
      }
      int bytes = 0;
      for (S3Object object : page.contents()) {
        exists = true;
        bytes += addWithFolders(tree, folder, object.key().substring(below.length()), object);
      }
      reserve(bytes);
      token = page.nextContinuationToken();
    } while (token != null);
    String hidden = null;
    FileFacts last = null;
    for (FileFacts entry : tree.values()) {
      if (hidden != null && entry.name().startsWith(hidden)) {
        continue;
      }
      boolean twice = last != null && last.name().equals(entry.name());
      hidden = twice ? entry.name() + "/" : null;
      last = twice ? twice(entry.name()) : entry;
      entries.add(last);
    }
    return exists;
  }

  /** Adds a file and the folders above it. Returns their bytes. */
  private static int addWithFolders(
      SortedMap<FileFacts, FileFacts> tree, StorePath root, String key, S3Object file) {
    if (root.equals(StorePath.ROOT) && key.startsWith(UploadFolder.ALL)) {
      return 0;
    }
    int bytes = 0;
    StorePath path = root;
    for (int start = 0, end = 0; end < key.length() && start < key.length(); start = end + 1) {
      int slash = key.indexOf('/', start);
      end = slash < 0 ? key.length() : slash;
      path = path.child(key.substring(start, end));
      boolean folder = slash >= 0;
      FileFacts facts = facts(path, folder ? null : file);
      FileFacts name = new FileFacts(path.value(), 0, FileFacts.UNKNOWN_TIME, folder, null);
      if (tree.putIfAbsent(name, facts) == null) {
        bytes += ENTRY_BYTES + path.value().length();
      }
      if (facts.leftOut() != null) {
        break;
      }
    }
    return bytes;
  }

  /** A bucket may have a file and a folder of one name, of which requests find the file. */
  private static FileFacts twice(String path) {
    return unnamed(new StorePath(path), "/");
  }

  private static FileFacts unnamed(StorePath path, String end) {
    return FileFacts.leftOut(
        path.parent().child(PlainText.of(path.name()) + end).value(), LeftOut.NAME);
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
      reserve(bytes);
      token = page.nextContinuationToken();
    } while (token != null);
    entries.sort(
        Comparator.comparing(FileFacts::name, StorePath::compare)
            .thenComparing(FileFacts::directory));
    for (int i = 1; i < entries.size(); i++) {
      String child = entries.get(i).name();
      if (child.equals(entries.get(i - 1).name())) {
        entries.set(i, twice(child));
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
      return unnamed(key, "");
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

  private void reserve(int bytes) throws FerryException {
    held += bytes;
    memory.growTo(held);
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
      memory.close();
    }
  }
}
