package dev.ferry.cli.client;

import dev.ferry.cli.output.OutputFlags;
import dev.ferry.cli.progress.ProgressDisplay;
import dev.ferry.cli.tree.RemoteFolder;
import dev.ferry.cli.tree.TreeTotals;
import dev.ferry.core.Carrier;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.local.LocalFileSink;
import dev.ferry.core.local.SymbolicLinks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The steps of a copy of a tree, over the connections of a command. Each is tried again as the
 * options say. Thread-safe.
 */
public final class TreeTransfers {
  private final ServerOptions server;
  private final OverwriteFlags overwrite;
  private final OutputFlags output;
  private final TransferOptions transfer;
  private final Set<Path> swept = ConcurrentHashMap.newKeySet();

  /** A call without a result. */
  @FunctionalInterface
  private interface Call {
    void run(Carrier carrier) throws FerryException;
  }

  /**
   * @param transfer the options of each transfer
   */
  TreeTransfers(
      ServerOptions server,
      OverwriteFlags overwrite,
      OutputFlags output,
      TransferOptions transfer) {
    this.server = server;
    this.overwrite = overwrite;
    this.output = output;
    this.transfer = transfer.withMakeParents(true);
  }

  /**
   * The steps of a copy that replaces files without a question.
   *
   * @param transfer the options of each transfer
   */
  public static TreeTransfers replacing(
      ServerOptions server, OutputFlags output, TransferOptions transfer) {
    return new TreeTransfers(server, OverwriteFlags.forced(), output, transfer);
  }

  /** Lists directories of the server. */
  public RemoteFolder.Lister lister() {
    return server.lister();
  }

  /** Downloads a file. The first download to a folder deletes what killed processes left there. */
  public void get(StorePath stored, Path file, ProgressDisplay shown, TreeTotals totals)
      throws FerryException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null && swept.add(folder)) {
      LocalFileSink.sweep(folder);
    }
    TransferReport report = new TransferReport(output, stored.value(), file.toString(), totals);
    TransferOptions options = transfer.withProgress(shown);
    new GetFile(server, overwrite, false, 1, stored, file, options, shown, report).run();
  }

  /** Uploads a file. */
  public void put(Path file, StorePath stored, ProgressDisplay shown, TreeTotals totals)
      throws FerryException {
    TransferReport report = new TransferReport(output, file.toString(), stored.value(), totals);
    TransferOptions options = transfer.withProgress(shown);
    new PutFile(server, overwrite, file, stored, options, shown, report).run();
  }

  /**
   * Makes a local link like one of the server.
   *
   * @param to its target
   */
  public void getLink(String stored, Path link, String to, TreeTotals totals)
      throws FerryException {
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
   * Makes a link of the server like a local one.
   *
   * @param to its target
   */
  public void putLink(Path link, StorePath stored, String to, TreeTotals totals)
      throws FerryException {
    TransferReport report = new TransferReport(output, link.toString(), stored.value(), totals);
    makeLink(report, to, replace -> call(carrier -> carrier.makeLink(stored, to, replace)));
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
  public boolean equal(StorePath stored, Path file, ProgressDisplay shown) throws FerryException {
    return server.call(
        shown,
        transfer.timeout(),
        carrier -> {
          carrier.limitCalls(transfer);
          return EqualFiles.facts(carrier, stored, file, transfer.digest()) != null;
        });
  }

  /** Returns the digest of a file of the server, which may have to read it. */
  public Digest digest(StorePath stored, Digest.Algorithm algorithm) throws FerryException {
    FileFacts facts = server.call(carrier -> carrier.stat(stored, algorithm));
    return algorithm.requireGiven(facts.digest(algorithm), stored.value());
  }

  /** Makes a directory of the server, and those above it. That it exists is no failure. */
  public void makeDirectory(StorePath directory) throws FerryException {
    if (!directory.equals(StorePath.ROOT)) {
      call(carrier -> carrier.makeDirectory(directory, true));
    }
  }

  /** Makes a local directory, and those above it. That it exists is no failure. */
  public static void makeDirectory(Path directory) throws FerryException {
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw FerryException.of(e, directory.toString());
    }
  }

  /** The failure for a local link in the place of a directory. */
  public static FerryException isLink(Path link) {
    return new FerryException(
        ErrorKind.INVALID_PATH,
        link + ": is a symbolic link, which a download does not follow; remove it");
  }

  /** Makes a link of the server, which may replace a file or another link. */
  public void makeLink(StorePath path, String target) throws FerryException {
    call(carrier -> carrier.makeLink(path, target, true));
  }

  /** Deletes a file or an empty directory of the server. That it is missing is no failure. */
  public void delete(StorePath path) throws FerryException {
    call(
        carrier -> {
          try {
            carrier.delete(path, null);
          } catch (FerryException e) {
            if (e.kind() != ErrorKind.NOT_FOUND) {
              throw e;
            }
          }
        });
  }

  /**
   * Moves a file of the server, or a link and not what it leads to. Makes the directory for it.
   *
   * @param replace whether it may replace a file
   */
  public void move(StorePath source, StorePath target, boolean replace) throws FerryException {
    ChangeRetry retry = new ChangeRetry();
    call(
        carrier -> {
          ChangeRetry.Request move = () -> carrier.move(source, target, replace);
          ChangeRetry.Check moved = () -> exists(carrier, target);
          try {
            retry.send(move, ErrorKind.NOT_FOUND, moved);
          } catch (FerryException e) {
            int slash = target.value().lastIndexOf('/');
            if (e.kind() != ErrorKind.NOT_FOUND || slash < 0) {
              throw e;
            }
            carrier.makeDirectory(new StorePath(target.value().substring(0, slash)), true);
            retry.send(move, ErrorKind.NOT_FOUND, moved);
          }
        });
  }

  private static boolean exists(Carrier carrier, StorePath path) throws FerryException {
    try {
      FileFacts unused = carrier.stat(path, false);
      return true;
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  /**
   * Returns a path on the server.
   *
   * @throws FerryException if a local name cannot be one on a server
   */
  public static StorePath path(StorePath root, String below) throws FerryException {
    return below.isEmpty() ? root : StorePath.parse(root.child(below).value());
  }

  private void call(Call call) throws FerryException {
    boolean unused =
        server.call(
            carrier -> {
              call.run(carrier);
              return true;
            });
  }
}
