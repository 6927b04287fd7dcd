package dev.ferry.cli.load;

import dev.ferry.cli.client.ServerOptions;
import dev.ferry.cli.program.TemporaryFolder;
import dev.ferry.core.CallLimits;
import dev.ferry.core.Carrier;
import dev.ferry.core.Change;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.grpc.internal.health.HealthClient;
import dev.ferry.load.Arrival;
import dev.ferry.load.ClockOffset;
import dev.ferry.load.FileLoad;
import dev.ferry.load.LoadOperation;
import dev.ferry.load.OperationName;
import dev.ferry.load.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The server of a load, with the connections to it and the files there. Any thread may call {@link
 * #stop}; one thread calls all other methods.
 */
final class LoadTarget implements AutoCloseable {
  private final ServerOptions server;
  private final Plan plan;
  private final List<Carrier> carriers = new CopyOnWriteArrayList<>();
  private final List<HealthClient> callers = new CopyOnWriteArrayList<>();
  private final TemporaryFolder local;
  private @Nullable StorePath folder;
  private @Nullable FileLoad files;

  private LoadTarget(ServerOptions server, Plan plan, TemporaryFolder local) {
    this.server = server;
    this.plan = plan;
    this.local = local;
  }

  /**
   * Makes a target without connections.
   *
   * @throws IOException if there is no place for local files
   */
  static LoadTarget create(ServerOptions server, Plan plan) throws IOException {
    return new LoadTarget(server, plan, TemporaryFolder.create("ferry-load-"));
  }

  /**
   * Connects, and makes the files on the server that the plan needs.
   *
   * @param made the folder that is made for them
   */
  void prepare(StorePath made) throws FerryException, InterruptedException {
    if (plan.mix().values().contains(OperationName.CALL)) {
      for (int i = 0; i < plan.connections(); i++) {
        callers.add(server.connectHealth());
      }
      for (HealthClient caller : callers) {
        call(caller);
      }
    }
    if (plan.onFiles()) {
      for (int i = 0; i < plan.connections(); i++) {
        carriers.add(server.connect());
      }
      files =
          server.explained(
              () -> {
                carriers.get(0).change(new Change.MakeDirectory(made, false), CallLimits.DEFAULT);
                folder = made;
                return FileLoad.prepare(plan, List.copyOf(carriers), made, local.path());
              });
    }
  }

  private void call(HealthClient caller) throws FerryException, InterruptedException {
    try {
      var unused = caller.check().get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof FerryException cause) {
        boolean unused =
            server.explained(
                () -> {
                  throw cause;
                });
      }
      throw new IllegalStateException(e);
    }
  }

  /** The clock of the server; null if the load has no files. */
  @Nullable ClockOffset clock() {
    return files == null ? null : files.clock();
  }

  /** The operations of the plan, in the order of its mix. */
  List<LoadOperation> operations() {
    List<LoadOperation> operations = new ArrayList<>();
    for (OperationName name : plan.mix().values()) {
      if (name == OperationName.CALL) {
        operations.add(new Call(List.copyOf(callers), plan.workers()));
      } else if (files != null) {
        operations.add(files.operation(name));
      }
    }
    return operations;
  }

  /** A small call by clients in turn. */
  private record Call(List<HealthClient> clients, int workers) implements LoadOperation {
    @Override
    public boolean blocks() {
      return false;
    }

    @Override
    public CompletionStage<?> start(Arrival arrival) {
      return clients.get((int) (arrival.index() / workers % clients.size())).check();
    }
  }

  /** Closes the connections, so that running operations fail. */
  void stop() {
    carriers.forEach(Carrier::close);
    callers.forEach(HealthClient::close);
  }

  /** The folder of the load; null if there is none on the server. */
  @Nullable StorePath folder() {
    return folder;
  }

  /**
   * Deletes the folder on the server.
   *
   * @throws FerryException if that fails; the message names the folder
   */
  void deleteFolder() throws FerryException {
    StorePath made = folder;
    if (made == null) {
      return;
    }
    folder = null;
    // The others may have been stopped.
    try (Carrier carrier = server.connect()) {
      FileLoad.delete(carrier, made);
    } catch (FerryException e) {
      throw new FerryException(
          e.kind(), made + ": was left on the server: " + e.getMessage() + "; delete it", e);
    }
  }

  /** Closes the connections and deletes the local files. */
  @Override
  public void close() throws IOException {
    stop();
    local.delete();
  }
}
