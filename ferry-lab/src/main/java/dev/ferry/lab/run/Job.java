package dev.ferry.lab.run;

import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ferry.core.Sha256;
import dev.ferry.lab.model.Load;
import dev.ferry.lab.model.Profiler;
import dev.ferry.lab.model.Reason;
import dev.ferry.lab.model.RowFork;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.model.RunDocument.Settings;
import dev.ferry.lab.run.jvm.ForkFlags;
import dev.ferry.lab.run.server.RemoteServer;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The task of one fork, which the parent process writes to a file.
 *
 * @param rows the rows, or ceilings
 * @param load what a sample does; null for the run's file, once
 * @param round the round, from 0
 * @param settings the settings of warm-up and samples
 * @param limit how long the fork may take, in milliseconds; its warm-up is shorter then. 0 for no
 *     limit
 * @param processes 1, or 2 if the server of the row has a separate process
 * @param server the machine of that process; null for this one
 * @param store the folder of the server's files
 * @param client the folder of the client's files
 * @param source the file to transfer
 * @param size its size in bytes
 * @param sha256 its digest in hexadecimal
 * @param samples the files to which samples are appended: one for each row
 * @param failure the file for the reason of a failure
 * @param profiler the profiler of the samples; null for none
 * @param profile the output file of the profiler; null without a profiler
 */
record Job(
    List<RowKey> rows,
    @Nullable Load load,
    int round,
    Settings settings,
    long limit,
    int processes,
    @Nullable RemoteServer server,
    Path store,
    Path client,
    Path source,
    long size,
    String sha256,
    List<Path> samples,
    Path failure,
    @Nullable Profiler profiler,
    @Nullable Path profile) {
  private static final ObjectMapper JSON =
      // The fields are the components of the records.
      JsonMapper.builder().disable(MapperFeature.AUTO_DETECT_IS_GETTERS).build();

  /** Reads the job of this fork. */
  static Job ofFork() throws IOException {
    return JSON.readValue(Path.of(System.getProperty(ForkFlags.JOB, "")).toFile(), Job.class);
  }

  /** Writes the job for a fork. */
  void write(Path file) throws IOException {
    JSON.writeValue(file.toFile(), this);
  }

  Workplace workplace() throws IOException {
    return new Workplace(store, client, source, size, Sha256.of(HexFormat.of().parseHex(sha256)));
  }

  /**
   * Writes the reason of a failure to a file for the parent process.
   *
   * @param label the prefix of the reason
   * @return what to throw
   */
  IOException failed(String label, Exception cause) throws IOException {
    String reason = label + Reason.of(cause);
    Files.writeString(failure, reason);
    return new IOException(title() + ": " + reason, cause);
  }

  /** Returns what the job measures, for display. */
  String title() {
    return new RowFork(rows).title();
  }
}
