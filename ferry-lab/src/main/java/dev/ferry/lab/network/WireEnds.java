package dev.ferry.lab.network;

import dev.ferry.lab.suite.ServerHost;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * How processes get to the ends of a wire.
 *
 * @param pid the id of the forwarder's process
 */
public record WireEnds(long pid) {
  /** The network device of both ends. */
  public static final String DEVICE = "wire";

  private static final String PID = "ferry.lab.wire.pid";
  private static final String SERVER_ADDRESS = "198.18.0.2";

  /** Returns the flags with which a fork knows the ends. */
  public List<String> flags() {
    return List.of("-D" + PID + "=" + pid, ServerHost.flag(SERVER_ADDRESS));
  }

  /** Returns the ends of the wire of this fork; null if it has none. */
  public static @Nullable WireEnds ofFork() {
    Long pid = Long.getLong(PID);
    return pid == null ? null : new WireEnds(pid);
  }

  /** Returns what is completed when the forwarder has ended, without which all calls would hang. */
  public CompletableFuture<?> onExit() {
    return ProcessHandle.of(pid)
        .<CompletableFuture<?>>map(ProcessHandle::onExit)
        .orElseGet(() -> CompletableFuture.completedFuture(null));
  }

  /** Returns a command that runs another one at the client's end. */
  public List<String> client(List<String> command) {
    return enter("client", command);
  }

  /** Returns a command that runs another one at the server's end. */
  public List<String> server(List<String> command) {
    return enter("server", command);
  }

  private List<String> enter(String end, List<String> command) {
    // The file of the program is deleted, but can be run as long as the forwarder does.
    String program = "/proc/" + pid + "/exe";
    List<String> all = new ArrayList<>(List.of(program, "enter", Long.toString(pid), end));
    all.addAll(command);
    return all;
  }
}
