package dev.ferry.lab.network;

import dev.ferry.lab.model.LabException;
import dev.ferry.lab.suite.ProgramOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Compiles the forwarder, {@code wire.c}. TUN devices and namespaces need calls that Java lacks.
 */
final class WireProgram {
  private static final String SOURCE = "wire.c";
  private static final String PROGRAM = "wire";
  private static final String COMPILER = "cc";

  private WireProgram() {}

  /**
   * Compiles the program into a folder.
   *
   * @return the path of the program
   * @throws LabException if there is no C compiler here, with the remedy
   */
  static Path compile(Path folder) throws LabException, IOException {
    Path source = folder.resolve(SOURCE);
    try (InputStream in =
        Objects.requireNonNull(WireProgram.class.getResourceAsStream(SOURCE), SOURCE)) {
      Files.copy(in, source);
    }
    Path program = folder.toAbsolutePath().resolve(PROGRAM);
    ProgramOutput compiled;
    try {
      compiled =
          ProgramOutput.of(
              List.of(COMPILER, "-O2", "-std=gnu11", "-o", program.toString(), source.toString()),
              "");
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      throw LabException.unavailable(
          "--network compiles its wire with cc, which does not start here; install a C compiler,"
              + " for instance: apt-get install gcc libc6-dev",
          e);
    }
    if (compiled.exitCode() != 0) {
      throw LabException.unavailable(
          ("--network: cc cannot compile the wire (%s); it needs Linux and the headers of its C"
                  + " library and kernel, for instance: apt-get install gcc libc6-dev")
              .formatted(compiled.text().lines().findFirst().orElse("no message").strip()),
          null);
    }
    return program;
  }

  /** Deletes the folder with source and program. */
  static void delete(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve(SOURCE));
    Files.deleteIfExists(folder.resolve(PROGRAM));
    Files.deleteIfExists(folder);
  }
}
