package dev.ferry.lab.run;

import dev.ferry.core.Sha256;
import dev.ferry.lab.model.Profiler;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What one fork has to do, as the parent writes it down for it.
 *
 * @param row the row
 * @param round the pass, from 0
 * @param settings warm-up and samples
 * @param processes 1, or 2 where the server has a process of its own
 * @param store folder of the server's files
 * @param client folder of the client's files
 * @param source the file to move
 * @param size its bytes
 * @param sha256 its digest, hexadecimal
 * @param samples file to append samples to
 * @param failure file to write a failure's reason to
 * @param profiler what watches the samples, null for nothing
 * @param profile file for what it saw, null without one
 */
record Job(
    RowKey row,
    int round,
    Settings settings,
    int processes,
    Path store,
    Path client,
    Path source,
    long size,
    String sha256,
    Path samples,
    Path failure,
    @Nullable Profiler profiler,
    @Nullable Path profile) {
  /** System property of a fork: the file that holds its job. */
  static final String PROPERTY = "ferry.lab.job";

  Workplace workplace() throws IOException {
    return new Workplace(store, client, source, size, Sha256.of(HexFormat.of().parseHex(sha256)));
  }
}
