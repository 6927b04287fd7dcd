package dev.ferry.cli.load;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.cli.client.ServerOptions;
import dev.ferry.cli.output.JsonLines;
import dev.ferry.core.FerryVersion;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import picocli.CommandLine.Model.CommandSpec;

/** Describes where a worker runs. It names no token. */
final class LoadEnvironment {
  private LoadEnvironment() {}

  static ObjectNode json(ServerOptions server, CommandSpec spec) {
    FerryVersion ferry = FerryVersion.current();
    ObjectNode json =
        JsonLines.object()
            .put("command", spec.qualifiedName())
            .put("ferry", ferry.version())
            .put("commit", ferry.commit())
            .put("server", server.serverName())
            .put("carrier", server.carrier().toString())
            .put("at", Instant.now().toString())
            .put("host", hostName())
            .put("processors", Runtime.getRuntime().availableProcessors())
            .put("maxHeapBytes", Runtime.getRuntime().maxMemory());
    for (String property : new String[] {"java.version", "java.vm.name", "os.name", "os.version"}) {
      json.put(property, System.getProperty(property, ""));
    }
    return json;
  }

  private static String hostName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      // A machine may have a name that it does not know the address of.
      return "";
    }
  }
}
