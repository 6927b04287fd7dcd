package dev.ferry.http.internal.server;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StagedTree;
import dev.ferry.core.StorePath;
import dev.ferry.wire.internal.contract.BasePath;
import dev.ferry.wire.internal.contract.Errors;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies and deletes files and directories for one request. A file is copied as a whole or not at
 * all. What fails in a directory is remembered, and the rest goes on (RFC 4918, 9.6 and 9.8).
 */
final class TreeChanges {
  private static final Logger LOG = LoggerFactory.getLogger(TreeChanges.class);

  private static final int BUFFER_BYTES = 256 * 1024;

  /** A link may lead a copy into itself, which would otherwise end when the disk is full. */
  private static final int MAX_DEPTH = 100;

  /** The failures that the response names. */
  private static final int MAX_FAILURES = 100;

  private final FileStore store;
  private final BooleanSupplier wanted;
  private final List<Failure> failures = new ArrayList<>();
  private boolean failed;
  private int depth;

  private record Failure(StorePath path, boolean directory, FerryException why) {}

  /**
   * @param wanted whether the client still waits for it
   */
  TreeChanges(FileStore store, BooleanSupplier wanted) {
    this.store = store;
    this.wanted = wanted;
  }

  /**
   * Returns the response if something has failed; null otherwise.
   *
   * @param base the path below which clients know the server
   */
  @Nullable FullHttpResponse failure(BasePath base) {
    if (!failed) {
      return null;
    }
    MultiStatus xml = new MultiStatus().begin();
    for (Failure failure : failures) {
      FerryException why = failure.why();
      xml.xml("<D:response>")
          .href(base, failure.path(), failure.directory())
          .status(Errors.httpStatus(why.kind()), String.valueOf(why.getMessage()))
          .xml("</D:response>");
    }
    return xml.end().response(HttpResponseStatus.MULTI_STATUS.code());
  }

  private void failed(FileFacts entry, FerryException why) throws FerryException {
    if (why.kind() == ErrorKind.CANCELLED) {
      throw why;
    }
    failed = true;
    if (failures.size() < MAX_FAILURES) {
      failures.add(new Failure(new StorePath(entry.name()), entry.directory(), why));
    }
  }

  private void requireWanted(StorePath path) throws FerryException {
    if (!wanted.getAsBoolean()) {
      throw new FerryException(ErrorKind.CANCELLED, path + ": the client is gone");
    }
  }

  /**
   * Deletes a file, a link, or a directory with all that is in it.
   *
   * @param version that a file must have; null for any
   */
  void delete(StorePath path, @Nullable String version) throws FerryException {
    Listing entries = deleteOrList(path, version);
    if (entries != null && deleteEntries(path, entries)) {
      store.delete(path, version);
    }
  }

  /** Deletes what is no directory with entries, or returns these. */
  private @Nullable Listing deleteOrList(StorePath path, @Nullable String version)
      throws FerryException {
    try {
      // A link that leads to a directory is deleted alone.
      store.delete(path, version);
      return null;
    } catch (FerryException e) {
      if (e.kind() != ErrorKind.NOT_EMPTY) {
        throw e;
      }
      return store.list(path);
    }
  }

  /** A directory whose entries are being deleted. */
  private static final class OpenDirectory {
    private final FileFacts facts;
    private final Listing entries;
    private boolean emptied = true;

    OpenDirectory(FileFacts facts, Listing entries) {
      this.facts = facts;
      this.entries = entries;
    }
  }

  /**
   * Deletes all that is in a directory, without recursion: a tree may be thousands of levels deep.
   *
   * @param entries those of the directory; closed in any case
   * @return whether nothing is left
   */
  private boolean deleteEntries(StorePath path, Listing entries) throws FerryException {
    OpenDirectory top =
        new OpenDirectory(
            new FileFacts(path.value(), 0, FileFacts.UNKNOWN_TIME, true, null), entries);
    Deque<OpenDirectory> open = new ArrayDeque<>();
    open.push(top);
    try {
      while (true) {
        OpenDirectory innermost = open.element();
        FileFacts entry = innermost == top ? entries.next() : nextIn(innermost);
        if (entry != null) {
          requireWanted(path);
          deleteEntry(entry, open);
        } else if (innermost == top) {
          return top.emptied;
        } else {
          open.pop().entries.close();
          open.element().emptied &= innermost.emptied;
        }
      }
    } finally {
      open.forEach(directory -> directory.entries.close());
    }
  }

  /** Returns the next entry of a directory; null if there is none, after which it is deleted. */
  private @Nullable FileFacts nextIn(OpenDirectory directory) throws FerryException {
    try {
      FileFacts entry = directory.entries.next();
      if (entry == null && directory.emptied) {
        store.delete(new StorePath(directory.facts.name()), null);
      }
      return entry;
    } catch (FerryException e) {
      failed(directory.facts, e);
      directory.emptied = false;
      return null;
    }
  }

  /** Deletes an entry of the innermost directory, or opens it if it is a directory with entries. */
  private void deleteEntry(FileFacts entry, Deque<OpenDirectory> open) throws FerryException {
    try {
      if (entry.leftOut() == FileFacts.LeftOut.NAME) {
        // The text that is shown may be the name of another file.
        throw new FerryException(
            ErrorKind.INVALID_PATH,
            entry.name() + ": no request can name it; delete it on the server");
      }
      StorePath path = new StorePath(entry.name());
      if (!entry.directory() || entry.link() != null) {
        store.delete(path, null);
        return;
      }
      Listing entries = deleteOrList(path, null);
      if (entries != null) {
        open.push(new OpenDirectory(entry, entries));
      }
    } catch (FerryException e) {
      failed(entry, e);
      open.element().emptied = false;
    }
  }

  /**
   * Copies a file, or a directory.
   *
   * @param source its facts
   * @param deep whether all that is in a directory is copied, too
   * @param replace whether a file may be replaced by a file
   * @param room whether anything at the target gives way, as soon as the copy is complete
   */
  void copy(FileFacts source, StorePath target, boolean deep, boolean replace, boolean room)
      throws FerryException {
    if (!source.directory() && !room) {
      copy(source, store, target, deep, replace);
      return;
    }
    staged(
        target,
        room,
        tree -> {
          copy(source, tree.store(), target, deep, false);
          // A copy that lacks something takes the place of nothing.
          if (!failed || !room) {
            tree.publish();
          }
        });
  }

  private void copy(
      FileFacts source, FileStore into, StorePath target, boolean deep, boolean replace)
      throws FerryException {
    if (source.directory()) {
      copyDirectory(source, into, target, deep);
    } else {
      copyFile(new StorePath(source.name()), into, target, replace);
    }
  }

  private void copyDirectory(FileFacts facts, FileStore into, StorePath target, boolean deep)
      throws FerryException {
    StorePath source = new StorePath(facts.name());
    if (depth >= MAX_DEPTH) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          source + ": is over " + MAX_DEPTH + " folders deep; does a link lead into the copy?");
    }
    depth++;
    // It is listed before the copy is made, which a link may have put in the same directory.
    try (Listing entries = store.list(source)) {
      into.makeDirectory(target, false, facts.mode());
      FileFacts entry = deep ? entries.next() : null;
      for (; entry != null; entry = entries.next()) {
        requireWanted(source);
        try {
          copyEntry(entry, into, target);
        } catch (FerryException e) {
          failed(entry, e);
        }
      }
    } finally {
      depth--;
    }
  }

  private void copyEntry(FileFacts entry, FileStore into, StorePath directory)
      throws FerryException {
    StorePath path = new StorePath(entry.name());
    if (entry.leftOut() != null || (entry.directory() && entry.link() != null)) {
      throw new FerryException(
          ErrorKind.PERMISSION_DENIED,
          path + ": is neither a file nor a folder, or a link to a folder, and is not copied");
    }
    copy(entry, into, StorePath.parse(directory.child(path.name()).value()), true, false);
  }

  private void copyFile(StorePath path, FileStore into, StorePath target, boolean replace)
      throws FerryException {
    try (FileSource source = store.open(path)) {
      FileFacts facts = source.facts();
      boolean timed = !facts.lastModified().equals(FileFacts.UNKNOWN_TIME);
      CreateOptions options =
          CreateOptions.DEFAULT
              .withCreateOnly(!replace)
              .withLastModified(timed ? facts.lastModified() : null)
              .withMode(facts.mode());
      try (FileSink sink = into.create(target, options)) {
        write(source, sink);
      }
    }
  }

  private void write(FileSource source, FileSink sink) throws FerryException {
    FileFacts facts = source.facts();
    long size = facts.size();
    sink.expect(size);
    Digest digest = facts.crc32c();
    if (digest != null) {
      Executor here = Runnable::run;
      boolean unused = sink.expectDigest(digest.algorithm(), here);
    }
    source.readAhead(0, size);
    ByteBuffer buffer = ByteBuffer.allocateDirect((int) Math.min(BUFFER_BYTES, size));
    for (long at = 0; at < size; at += buffer.position()) {
      requireWanted(new StorePath(facts.name()));
      buffer.clear().limit((int) Math.min(buffer.capacity(), size - at));
      source.readFully(buffer, at);
      sink.write(buffer.flip());
    }
    source.verifyUnchanged();
    FileFacts unused = sink.commit(size, digest);
  }

  /** Moves a file or directory in place of what is at its target, with all that is in it. */
  void moveOver(StorePath source, StorePath target) throws FerryException {
    staged(target, true, tree -> tree.publish(source));
  }

  /** Does a step with a tree that is to get a name. */
  private void staged(StorePath target, boolean replace, Step step) throws FerryException {
    StagedTree tree = store.stage(target, replace);
    boolean done = false;
    try {
      step.run(tree);
      done = true;
    } finally {
      close(tree, target, done);
    }
  }

  /** The names of what is left of a folder are perhaps not for the client. */
  private void close(StagedTree tree, StorePath target, boolean done) throws FerryException {
    try {
      tree.close();
    } catch (FerryException e) {
      failed = true;
      failures.add(new Failure(target, true, e));
      LOG.warn("{}{}", done ? "" : "after a failure: ", e.toString());
    }
  }

  /** What is done with a tree before it is closed. */
  @FunctionalInterface
  private interface Step {
    void run(StagedTree tree) throws FerryException;
  }
}
