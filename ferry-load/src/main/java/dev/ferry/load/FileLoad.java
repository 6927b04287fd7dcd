package dev.ferry.load;

import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * The files of a load: a folder on the server with a file of each size, and the same files here to
 * upload. Thread-safe once prepared.
 */
public final class FileLoad {
  /** Uploads replace files of this many names in turn, so that they do not fill the server. */
  static final int PUT_NAMES = 256;

  private static final int DELETIONS = 3;

  /** The fastest of these is used. */
  private static final int CLOCK_PROBES = 5;

  private static final int BLOCK = 64 * 1024;

  private final Plan plan;
  private final List<Carrier> connections;
  private final StorePath folder;
  private final Path local;
  private final List<Path> sources = new ArrayList<>();
  private final ClockOffset clock;

  private FileLoad(
      Plan plan, List<Carrier> connections, StorePath folder, Path local, ClockOffset clock) {
    this.plan = plan;
    this.connections = connections;
    this.folder = folder;
    this.local = local;
    this.clock = clock;
  }

  /**
   * Makes the files on the server, and compares its clock with that of this machine.
   *
   * @param connections used in turn; not closed
   * @param folder an empty folder of the server
   * @param local an empty folder of this machine
   * @throws FerryException if the server does not accept this, or the local files cannot be
   *     written; the folder may be there then
   */
  public static FileLoad prepare(Plan plan, List<Carrier> connections, StorePath folder, Path local)
      throws FerryException {
    Carrier first = connections.get(0);
    ClockOffset clock = compareClocks(first, folder.child("clock"));
    FileLoad load = new FileLoad(plan, List.copyOf(connections), folder, local, clock);
    load.makeFiles(first);
    return load;
  }

  private static ClockOffset compareClocks(Carrier carrier, StorePath probe) throws FerryException {
    ClockOffset best = null;
    for (int i = 0; i < CLOCK_PROBES; i++) {
      double before = System.currentTimeMillis();
      carrier.change(new Change.MakeDirectory(probe, false), CallLimits.DEFAULT);
      double after = System.currentTimeMillis();
      double server = carrier.stat(probe, null, CallLimits.DEFAULT).lastModified().toEpochMilli();
      carrier.change(new Change.Delete(probe, null), CallLimits.DEFAULT);
      ClockOffset offset = ClockOffset.of(before, after, server);
      if (best == null || offset.uncertaintyMillis() < best.uncertaintyMillis()) {
        best = offset;
      }
    }
    return Objects.requireNonNull(best);
  }

  private void makeFiles(Carrier carrier) throws FerryException {
    SplittableRandom random = new SplittableRandom(plan.seed());
    for (int i = 0; i < plan.files().values().size(); i++) {
      Path file = local.resolve("file-" + i);
      write(file, plan.files().values().get(i), random);
      sources.add(file);
      boolean unused = carrier.upload(file, source(i), TransferOptions.DEFAULT) != null;
    }
  }

  private static void write(Path file, long size, SplittableRandom random) throws FerryException {
    byte[] block = new byte[BLOCK];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long left = size; left > 0; left -= block.length) {
        random.nextBytes(block);
        out.write(block, 0, (int) Math.min(left, block.length));
      }
    } catch (IOException e) {
      throw FerryException.of(e, file.toString());
    }
  }

  /** The clock of the server compared with that of this machine. */
  public ClockOffset clock() {
    return clock;
  }

  private StorePath source(int file) {
    return folder.child("file-" + file);
  }

  /** Returns an operation on these files. */
  public LoadOperation operation(OperationName name) {
    return switch (name) {
      case GET ->
          LoadOperation.blocking(
              arrival ->
                  carrier(arrival)
                      .download(
                          source(arrival.file()), DiscardingSink::new, TransferOptions.DEFAULT));
      case PUT ->
          LoadOperation.blocking(
              arrival ->
                  carrier(arrival)
                      .upload(
                          sources.get(arrival.file()), target(arrival), TransferOptions.DEFAULT));
      case STAT ->
          LoadOperation.blocking(
              arrival -> carrier(arrival).stat(source(arrival.file()), null, CallLimits.DEFAULT));
      case LIST ->
          LoadOperation.blocking(
              arrival -> carrier(arrival).list(folder, false, entry -> true, CallLimits.DEFAULT));
      case CALL -> throw new IllegalArgumentException("a call needs no files");
    };
  }

  private long turn(Arrival arrival) {
    return arrival.index() / plan.workers();
  }

  private Carrier carrier(Arrival arrival) {
    return connections.get((int) (turn(arrival) % connections.size()));
  }

  private StorePath target(Arrival arrival) {
    return folder.child("put-" + turn(arrival) % PUT_NAMES);
  }

  /**
   * Deletes the folder of a load, and all that is in it.
   *
   * @throws FerryException if the server does not delete it all
   */
  public static void delete(Carrier carrier, StorePath folder) throws FerryException {
    for (int attempt = 1; ; attempt++) {
      for (FileFacts entry : carrier.list(folder)) {
        StorePath path = StorePath.parse(entry.name());
        if (!path.isWithin(folder)) {
          throw new FerryException(
              ErrorKind.INTERNAL,
              folder + ": the server lists " + path + ", which is not in there");
        }
        carrier.change(new Change.Delete(path, null), CallLimits.DEFAULT);
      }
      try {
        carrier.change(new Change.Delete(folder, null), CallLimits.DEFAULT);
        return;
      } catch (FerryException e) {
        // An upload that was ended a moment ago may have been complete.
        if (e.kind() != ErrorKind.NOT_EMPTY || attempt == DELETIONS) {
          throw e;
        }
      }
    }
  }
}
