package dev.ferry.jmeter;

import dev.ferry.core.Carrier;
import dev.ferry.core.FerryException;
import dev.ferry.grpc.internal.health.HealthClient;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * What all samplers of an engine share during a test: one client for each server, and a local file
 * for each size to upload. Thread-safe.
 */
final class EngineResources {
  /**
   * Those of this JVM, which runs one test at a time. JMeter copies samplers for each thread by
   * serializing or cloning them, so that there is no object which all of them could be given.
   */
  static final EngineResources OF_ENGINE = new EngineResources();

  private static final int BLOCK = 64 * 1024;

  private final Map<Server, Carrier> carriers = new HashMap<>();
  private final Map<Server, HealthClient> callers = new HashMap<>();
  private final Map<Long, Path> files = new HashMap<>();

  /**
   * Returns the client of a server, which is closed at the end of the test.
   *
   * @throws FerryException as {@link Server#connect}
   */
  synchronized Carrier carrier(Server server) throws FerryException {
    Carrier known = carriers.get(server);
    if (known == null) {
      known = server.connect();
      carriers.put(server, known);
    }
    return known;
  }

  /**
   * Returns the client of a server's health service, which is closed at the end of the test.
   *
   * @throws FerryException as {@link Server#connectHealth}
   */
  synchronized HealthClient caller(Server server) throws FerryException {
    HealthClient known = callers.get(server);
    if (known == null) {
      known = server.connectHealth();
      callers.put(server, known);
    }
    return known;
  }

  /**
   * Returns a file of random bytes, which is deleted at the end of the test.
   *
   * @throws FerryException if it cannot be written
   */
  synchronized Path file(long size) throws FerryException {
    Path known = files.get(size);
    if (known == null) {
      try {
        known = Files.createTempFile("ferry-jmeter-", ".bin");
        files.put(size, known);
        write(known, size);
      } catch (IOException e) {
        throw FerryException.of(e, "a file of " + size + " bytes to upload");
      }
    }
    return known;
  }

  private static void write(Path file, long size) throws IOException {
    SplittableRandom random = new SplittableRandom(size);
    byte[] block = new byte[BLOCK];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long left = size; left > 0; left -= block.length) {
        random.nextBytes(block);
        out.write(block, 0, (int) Math.min(left, block.length));
      }
    }
  }

  /**
   * Closes the connections and deletes the files.
   *
   * @throws IOException if a file cannot be deleted
   */
  synchronized void release() throws IOException {
    carriers.values().forEach(Carrier::close);
    carriers.clear();
    callers.values().forEach(HealthClient::close);
    callers.clear();
    for (Path file : files.values()) {
      boolean unused = Files.deleteIfExists(file);
    }
    files.clear();
  }
}
