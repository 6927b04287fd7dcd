package dev.ferry.cli.load;

import dev.ferry.cli.client.ServerOptions;
import dev.ferry.cli.program.Refusal;
import dev.ferry.cli.program.TemporaryFolder;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import dev.ferry.core.TransferOptions;
import dev.ferry.load.WorkerFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A folder of a server with the results of workers.
 *
 * @param server the server, which need not be the one of the load
 * @param address of the folder, as the user wrote it
 * @param folder the folder
 */
record RemoteResults(ServerOptions server, String address, StorePath folder) {
  private static final TransferOptions TRANSFER = TransferOptions.DEFAULT.withMakeParents(true);

  /** Returns the folder of one worker. */
  RemoteResults ofWorker(int worker) {
    String name = WorkerFolder.nameOfWorker(worker);
    return new RemoteResults(
        server, address + (address.endsWith("/") ? "" : "/") + name, folder.child(name));
  }

  /**
   * Checks that results can be put here, before a load that takes long.
   *
   * @throws FerryException if the server cannot be reached, or has the results of another run here
   */
  private void requireUnused() throws FerryException {
    boolean used =
        server.call(
            carrier -> {
              carrier.change(new Change.MakeDirectory(folder, true), CallLimits.DEFAULT);
              return !carrier.list(folder).isEmpty();
            });
    if (used) {
      throw new Refusal(
          ErrorKind.ALREADY_EXISTS,
          "--out: " + address + " has files; name another folder, or delete them first");
    }
  }

  /** Runs a load that writes its results to a folder. */
  interface Load {
    int run(Path results) throws Exception;
  }

  /**
   * Runs a load in a temporary folder, and uploads what it has left there at its end, also if it
   * failed or was interrupted. If that fails, the folder stays.
   *
   * @param notes receives a failure to upload after a failure of the load
   */
  int of(Load load, Consumer<String> notes) throws Exception {
    requireUnused();
    TemporaryFolder local = TemporaryFolder.create("ferry-load-results-");
    int code;
    try {
      code = load.run(local.path());
    } catch (Exception e) {
      try {
        publish(local);
      } catch (FerryException again) {
        notes.accept(again.getMessage());
      }
      throw e;
    }
    publish(local);
    return code;
  }

  private void publish(TemporaryFolder local) throws FerryException {
    // An interrupt has ended the load, and must not end this.
    boolean interrupted = Thread.interrupted();
    try {
      put(local.path());
      local.delete();
    } catch (IOException e) {
      FerryException failure = FerryException.of(e, address);
      throw new FerryException(
          failure.kind(), "--out: the results stay in " + local.path() + ": " + e.getMessage(), e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void put(Path local) throws IOException {
    List<Path> files;
    try (Stream<Path> entries = Files.list(local)) {
      files = entries.toList();
    }
    for (Path file : files) {
      StorePath stored = folder.child(String.valueOf(file.getFileName()));
      server.run(
          carrier -> {
            var unused = carrier.upload(file, stored, TRANSFER);
          });
    }
  }

  /**
   * Downloads what a merge needs of the workers.
   *
   * @param local an empty folder
   * @throws FerryException with {@link ErrorKind#NOT_FOUND} if there are no workers
   */
  void getWorkers(Path local) throws IOException {
    List<String> workers =
        server.call(
            carrier ->
                carrier.list(folder).stream()
                    .filter(FileFacts::directory)
                    .map(entry -> new StorePath(entry.name()).name())
                    .filter(WorkerFolder::isOfWorker)
                    .toList());
    if (workers.isEmpty()) {
      throw new FerryException(
          ErrorKind.NOT_FOUND,
          address + ": has no folder worker-1 with results; name what --out named for the workers");
    }
    for (String worker : workers) {
      Path folderOfWorker = Files.createDirectory(local.resolve(worker));
      for (String file : WorkerFolder.MERGED) {
        StorePath stored = folder.child(worker).child(file);
        boolean unused = server.call(carrier -> get(carrier, stored, folderOfWorker.resolve(file)));
      }
    }
  }

  /** Returns whether there is such a file; a worker may have been killed before it wrote one. */
  private static boolean get(Carrier carrier, StorePath stored, Path file) throws FerryException {
    try {
      var unused = carrier.download(stored, file, TRANSFER);
      return true;
    } catch (FerryException e) {
      if (e.kind() == ErrorKind.NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }
}
