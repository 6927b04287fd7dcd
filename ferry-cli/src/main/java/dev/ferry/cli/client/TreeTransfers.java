package dev.ferry.cli.client;

import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.output.Stopwatch;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.cli.progress.TreeProgress;
import dev.ferry.cli.tree.CarrierPool;
import dev.ferry.cli.tree.MissingNames;
import dev.ferry.cli.tree.ParallelTasks;
import dev.ferry.cli.tree.RemoteTree;
import dev.ferry.cli.tree.TreeTotals;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferBatch;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.Action;
import dev.ferry.core.internal.LostResponse;
import dev.ferry.core.local.EqualFiles;
import dev.ferry.core.local.LocalFileSink;
import dev.ferry.core.local.SymbolicLinks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The transfers of a tree, and the other steps of its copy, over the connections of a command. A
 * small file is an item of a {@link TransferBatch}, which a few connections take. All others, and
 * those that fail there, are transferred as single files are, each tried again as the options say.
 * Thread-safe.
 */
public final class TreeTransfers implements AutoCloseable {
  /** What is larger goes on after a failure, which takes more requests. */
  private static final long MOST_SENT_IN_BATCH = 128 * 1024;

  /** The same of downloads, which can be requested ahead without being held in memory. */
  private static final long MOST_RECEIVED_IN_BATCH = 1024 * 1024;

  /** Requests for each job that move no bytes of files, and so wait for the server alone. */
  private static final int CHANGES = 4;

  private final ServerCalls server;
  private final OverwriteFlags overwrite;
  private final OutputFlags output;
  private final TransferOptions transfer;
  private final long mostReceived;
  private final TargetFolders folders;
  private final TreeTotals totals = new TreeTotals();
  private final MissingNames missing;
  private final TreeProgress progress;
  private final CarrierPool.Kept connections;
  private final ParallelTasks tasks;
  private final ParallelTasks changes;
  private final FileQueue queue;
  private final Set<Path> swept = ConcurrentHashMap.newKeySet();
  private @Nullable Boolean heedsConditions;
  private boolean discards;

  /**
   * @param jobs how many files are copied at a time, at least 1
   * @param transfer the options of each transfer
   * @param label the name of the tree in the display of its progress
   */
  TreeTransfers(
      ServerCalls server,
      OverwriteFlags overwrite,
      int jobs,
      OutputFlags output,
      TransferOptions transfer,
      String label) {
    this.server = server;
    this.overwrite = overwrite;
    this.output = output;
    this.transfer = transfer.withMakeParents(true);
    // Files with one of these options are transferred one after another over each connection, and
    // more jobs than there are connections get more done.
    boolean ahead =
        transfer.compression() == null
            && transfer.rateLimit() == null
            && transfer.timeout() == null
            && jobs <= FileQueue.MOST_AHEAD;
    mostReceived = ahead ? MOST_RECEIVED_IN_BATCH : MOST_SENT_IN_BATCH;
    folders = new TargetFolders(server);
    missing = new MissingNames(output);
    progress = output.treeProgress(label);
    connections = server.keepConnections();
    tasks = new ParallelTasks(jobs);
    changes = new ParallelTasks(CHANGES * jobs);
    queue = new FileQueue(server, tasks, jobs);
  }

  /**
   * The transfers of a copy that replaces files without a question.
   *
   * @param jobs how many files are copied at a time, at least 1
   * @param transfer the options of each transfer
   * @param label the name of the tree in the display of its progress
   */
  public static TreeTransfers replacing(
      ServerCalls server, int jobs, OutputFlags output, TransferOptions transfer, String label) {
    return new TreeTransfers(server, OverwriteFlags.forced(), jobs, output, transfer, label);
  }

  /** Has downloads keep nothing for a later command, nor go on with what an earlier one kept. */
  void discardArrived() {
    discards = true;
  }

  /** Counts what was transferred. */
  public TreeTotals totals() {
    return totals;
  }

  /** Counts what was not. */
  public MissingNames missing() {
    return missing;
  }

  /** Returns a tree of the server. */
  public RemoteTree tree(StorePath root) {
    return server.tree(root);
  }

  /** Begins a task that copies a file, as soon as a thread is free. */
  public void begin(Action<FerryException> task) throws FerryException {
    tasks.begin(task);
  }

  /** Begins a task that moves no bytes of files, as soon as a thread is free. */
  public void beginChange(Action<FerryException> task) throws FerryException {
    tasks.check();
    changes.begin(
        () -> {
          try {
            task.run();
          } catch (FerryException | RuntimeException e) {
            // Whatever waits for a copy waits no more.
            tasks.failed(e);
            throw e;
          }
        });
  }

  /**
   * Begins to copy a file to the server in another way.
   *
   * @param size its bytes as far as they are known
   * @param folderMode as for {@link #beginPut}
   */
  public void begin(
      StorePath stored, long size, @Nullable Integer folderMode, Action<FerryException> task)
      throws FerryException {
    folders.requireNotRefused(stored.parent());
    progress.found(size);
    begin(() -> missing.attempt(() -> folders.fill(stored.parent(), folderMode, task)));
  }

  /** All files were begun, so that the sum of them is known. */
  public void foundAll() {
    progress.foundAll();
  }

  /**
   * Waits until all has ended that was begun.
   *
   * @throws FerryException if something failed that is not about one name alone
   */
  public void await() throws FerryException {
    queue.await();
    tasks.await();
    changes.await();
  }

  /**
   * Begins to download a file. The first download to a folder deletes what killed processes left
   * there.
   *
   * @param size its bytes as far as they are known
   */
  public void beginGet(StorePath stored, Path file, long size) throws FerryException {
    progress.found(size);
    sweep(file);
    boolean replaces = overwrite.force();
    if (size <= mostReceived && (replaces || !isThere(file))) {
      CreateOptions create = transfer.create().withCreateOnly(!replaces);
      queue.transfer(item(stored, file, size, create, false));
    } else {
      begin(() -> missing.attempt(() -> get(stored, file, null)));
    }
  }

  /**
   * Whether something has the name. What this does not see, a link to nothing, is found when the
   * file is to get its name. Makes no exception for what is missing, as the usual way does.
   */
  private static boolean isThere(Path file) {
    return file.toFile().exists();
  }

  private void sweep(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null && swept.add(folder)) {
      LocalFileSink.sweep(folder);
    }
  }

  /**
   * Downloads a file in the same way, at once.
   *
   * @param mode its permissions; null for those of the server's file
   */
  public void get(StorePath stored, Path file, @Nullable Integer mode) throws FerryException {
    sweep(file);
    TransferReport report = new TransferReport(output, stored.value(), file.toString(), totals);
    try (ProgressDisplay shown = progress.begin(stored.value())) {
      TransferOptions options = with(transfer.create().withMode(mode), shown);
      new GetFile(server, overwrite, false, 1, discards, stored, file, options, shown, report)
          .run();
    }
  }

  /**
   * Begins to upload a file.
   *
   * @param size its bytes as far as they are known
   * @param folderMode the permissions of its directory, in case the upload makes one for it; null
   *     if they are not known
   */
  public void beginPut(Path file, StorePath stored, long size, @Nullable Integer folderMode)
      throws FerryException {
    folders.requireNotRefused(stored.parent());
    progress.found(size);
    CreateOptions create = transfer.create().withFolderMode(folderMode);
    if (size <= MOST_SENT_IN_BATCH && heedsConditions()) {
      CreateOptions sent = create.withCreateOnly(create.createOnly() || !overwrite.force());
      queue.transfer(item(stored, file, size, sent, true));
    } else {
      begin(() -> missing.attempt(() -> put(file, stored, create, false)));
    }
  }

  /**
   * Uploads a file in the same way, at once.
   *
   * @param mode its permissions; null for those of the local file
   */
  public void put(Path file, StorePath stored, @Nullable Integer mode) throws FerryException {
    put(file, stored, transfer.create().withMode(mode), false);
  }

  private void put(Path file, StorePath stored, CreateOptions create, boolean sentBefore)
      throws FerryException {
    folders.fill(
        stored.parent(), create.folderMode(), () -> send(file, stored, create, sentBefore));
  }

  private void send(Path file, StorePath stored, CreateOptions create, boolean sentBefore)
      throws FerryException {
    TransferReport report = new TransferReport(output, file.toString(), stored.value(), totals);
    try (ProgressDisplay shown = progress.begin(stored.value())) {
      TransferOptions options = with(create, shown);
      PutFile put = new PutFile(server, overwrite, file, stored, options, shown, report);
      (heedsConditions() ? put.ofTree(sentBefore) : put).run();
    }
  }

  /**
   * Whether an upload need not be checked before: what is there may be replaced, or the server
   * heeds the condition that nothing is there. A server of files over HTTP may ignore it, unless it
   * is Ferry's.
   */
  private synchronized boolean heedsConditions() {
    if (heedsConditions == null) {
      heedsConditions =
          overwrite.force() || !server.carrier().needsUploadCheck() || isFerrysServer();
    }
    return heedsConditions;
  }

  private boolean isFerrysServer() {
    try {
      return server
          .call(carrier -> carrier.stat(StorePath.ROOT, null, CallLimits.DEFAULT))
          .directory();
    } catch (FerryException e) {
      return false;
    }
  }

  /**
   * Makes a local link like one of the server.
   *
   * @param to its target
   */
  public void getLink(String stored, Path link, String to) throws FerryException {
    TransferReport report = new TransferReport(output, stored, link.toString(), totals);
    makeLink(report, to, replace -> makeLocalLink(link, to, replace));
  }

  private static void makeLocalLink(Path link, String to, boolean replace) throws FerryException {
    try {
      SymbolicLinks.make(link, to, replace, link.toString());
    } catch (IOException e) {
      throw FerryException.of(e, link.toString());
    }
  }

  /**
   * Makes a link of the server like a local one, or like that of another server.
   *
   * @param link the name of the other link, for people
   * @param to its target
   */
  public void putLink(String link, StorePath stored, String to) throws FerryException {
    TransferReport report = new TransferReport(output, link, stored.value(), totals);
    LinkMaker maker =
        replace ->
            server.run(
                carrier ->
                    carrier.change(new Change.MakeLink(stored, to, replace), CallLimits.DEFAULT));
    folders.fill(stored.parent(), null, () -> makeLink(report, to, maker));
  }

  /** Shows a file that is being copied; closed at its end. */
  ProgressDisplay shown(StorePath stored) {
    return progress.begin(stored.value());
  }

  /** Makes a link at either end. */
  @FunctionalInterface
  private interface LinkMaker {
    void make(boolean replace) throws FerryException;
  }

  private void makeLink(TransferReport report, String to, LinkMaker maker) throws FerryException {
    try {
      maker.make(overwrite.force());
    } catch (FerryException e) {
      if (e.kind() != ErrorKind.ALREADY_EXISTS || overwrite.force()) {
        throw e;
      }
      if (!overwrite.replaces(report.target())) {
        report.skipped();
        return;
      }
      maker.make(true);
    }
    report.linked(to);
  }

  /** Whether two files have the same size and digest. Both ends read their file. */
  public boolean equal(StorePath stored, Path file) throws FerryException {
    try (ProgressDisplay shown = progress.begin(stored.value())) {
      return server.call(
          shown,
          transfer.timeout(),
          carrier -> EqualFiles.facts(carrier, stored, file, transfer) != null);
    }
  }

  /** Has the server read a file of this size, and returns its digest. */
  public Digest digest(StorePath stored, long size, Digest.Algorithm algorithm)
      throws FerryException {
    FileFacts facts =
        server.call(carrier -> carrier.readNow(stored, size, algorithm, CallLimits.DEFAULT));
    return algorithm.requireGiven(facts.digest(algorithm), stored.value());
  }

  /** Returns what the server has under a name; null if there is nothing. */
  public @Nullable FileFacts facts(StorePath path) throws FerryException {
    return server.facts(path);
  }

  /**
   * Makes a directory of the server, and those above it. That it exists is no failure.
   *
   * @param mode the permissions of the directory of which those that are made are copies; null if
   *     they are not known
   */
  public void makeDirectory(StorePath directory, @Nullable Integer mode) throws FerryException {
    if (!directory.equals(StorePath.ROOT)) {
      folders.make(directory, mode);
    }
  }

  /** Deletes a file or an empty directory of the server. That it is missing is no failure. */
  public void delete(StorePath path) throws FerryException {
    server.run(
        carrier -> {
          try {
            carrier.change(new Change.Delete(path, null), CallLimits.DEFAULT);
          } catch (FerryException e) {
            if (e.kind() != ErrorKind.NOT_FOUND) {
              throw e;
            }
          }
        });
  }

  /**
   * Moves a file of the server, or a link and not what it leads to.
   *
   * @param replace whether it may replace a file
   */
  public void move(StorePath source, StorePath target, boolean replace) throws FerryException {
    LostResponse lost = new LostResponse();
    server.run(
        carrier -> {
          Change move = new Change.Move(source, target, replace);
          Retries.Call<Boolean> moved = () -> exists(carrier, target);
          lost.change(carrier, move, ErrorKind.NOT_FOUND, moved);
        });
  }

  private static boolean exists(Carrier carrier, StorePath path) throws FerryException {
    try {
      FileFacts unused = carrier.stat(path, null, CallLimits.DEFAULT);
      return true;
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  /** Cancels what still runs. */
  @Override
  public void close() {
    try (progress;
        connections;
        tasks;
        changes;
        queue) {
      // Closed in the reverse order.
    }
  }

  private Item item(StorePath stored, Path file, long size, CreateOptions create, boolean upload) {
    ProgressDisplay shown = progress.begin(stored.value());
    TransferOptions options = with(create, shown);
    return new Item(this, stored, file, size, upload, shown, options, Stopwatch.start());
  }

  private TransferOptions with(CreateOptions create, ProgressDisplay shown) {
    return transfer.withCreate(create).withProgress(shown);
  }

  /** A small file. If it fails here, it is transferred as a single file is, which says why. */
  private record Item(
      TreeTransfers tree,
      StorePath path,
      Path file,
      long size,
      boolean isUpload,
      ProgressDisplay shown,
      TransferOptions options,
      Stopwatch stopwatch)
      implements TransferBatch.Item {
    @Override
    public void done(Transfer done) {
      shown.close();
      String from = isUpload ? file.toString() : path.value();
      String to = isUpload ? path.value() : file.toString();
      new TransferReport(tree.output, from, to, tree.totals)
          .transferred(done, stopwatch, tree.server.carrier());
    }

    @Override
    public void failed(FerryException failure) {
      if (failure.kind() == ErrorKind.CANCELLED) {
        return;
      }
      // Its bytes are counted anew.
      shown.update(0, size);
      boolean sent = isUpload && failure.outage() != null;
      tree.queue.begin(
          () ->
              tree.missing.attempt(
                  () -> {
                    if (isUpload) {
                      boolean createOnly = tree.transfer.create().createOnly();
                      CreateOptions create = options.create().withCreateOnly(createOnly);
                      tree.put(file, path, create, sent);
                    } else {
                      tree.get(path, file, null);
                    }
                  }));
    }
  }
}
