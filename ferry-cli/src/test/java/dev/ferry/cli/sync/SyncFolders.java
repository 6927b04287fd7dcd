package dev.ferry.cli.sync;

import dev.ferry.cli.Outcome;
import dev.ferry.cli.Servers;
import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.core.TestFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.stream.Stream;

/**
 * The folders named "tree" of both ends.
 *
 * @param root the folder of the servers
 * @param local a local folder
 */
record SyncFolders(Path root, Path local, Servers servers) {
  /** Where files are copied to. */
  enum Way {
    UP,
    DOWN
  }

  Path source(Way way) {
    return (way == Way.UP ? local : root).resolve("tree");
  }

  Path target(Way way) {
    return (way == Way.UP ? root : local).resolve("tree");
  }

  Outcome sync(CarrierChoice carrier, Way way, String... options) {
    return Outcome.of(command(carrier, way, options));
  }

  String[] command(CarrierChoice carrier, Way way, String... options) {
    String address =
        (carrier == CarrierChoice.GRPC ? "ferry://" : "http://")
            + servers.address(carrier)
            + (carrier == CarrierChoice.GRPC ? "/tree" : "/files/tree");
    String here = local.resolve("tree").toString();
    Stream<String> command =
        way == Way.UP ? Stream.of("sync", here, address) : Stream.of("sync", address, here);
    return Stream.concat(command, Stream.of(options)).toArray(String[]::new);
  }

  static Path write(Path file, String text, Instant time) throws IOException {
    TestFiles.write(file, text.getBytes(StandardCharsets.UTF_8));
    return Files.setLastModifiedTime(file, FileTime.from(time));
  }
}
