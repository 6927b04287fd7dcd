package dev.ferry.lab.run;

import dev.ferry.core.Sha256;
import dev.ferry.lab.model.CeilingFork;
import dev.ferry.lab.model.CeilingKey;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.stream.Collectors;

/**
 * What a fork that measures ceilings has to do, as the parent writes it down for it.
 *
 * @param ceilings measured by turns, and their load
 * @param round the pass, from 0
 * @param settings warm-up and samples, of each ceiling
 * @param store folder of the server's files
 * @param client folder of the client's files
 * @param source the file to move
 * @param size its bytes
 * @param sha256 its digest, hexadecimal
 * @param runFolder the run folder, which takes the samples
 * @param failure file to write a failure's reason to
 */
record CeilingJob(
    CeilingFork ceilings,
    int round,
    Settings settings,
    Path store,
    Path client,
    Path source,
    long size,
    String sha256,
    Path runFolder,
    Path failure) {
  Workplace workplace() throws IOException {
    return new Workplace(store, client, source, size, Sha256.of(HexFormat.of().parseHex(sha256)));
  }

  /** The ceilings, for people. */
  String names() {
    return ceilings.keys().stream().map(CeilingKey::toString).collect(Collectors.joining("; "));
  }
}
