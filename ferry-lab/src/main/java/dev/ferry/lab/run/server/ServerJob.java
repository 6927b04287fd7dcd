package dev.ferry.lab.run.server;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ferry.core.Sha256;
import dev.ferry.lab.model.RowKey;
import dev.ferry.lab.run.jvm.ForkFlags;
import dev.ferry.lab.suite.Workplace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/**
 * What the server of a row has to know of the job of its fork. The job file of a fork has these
 * fields, and others.
 *
 * @param rows the row, or ceilings
 * @param store the folder of the server's files
 * @param client the folder of the client's files
 * @param source the file to transfer
 * @param size its size in bytes
 * @param sha256 its digest in hexadecimal
 */
record ServerJob(
    List<RowKey> rows, Path store, Path client, Path source, long size, String sha256) {
  private static final ObjectMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  /** Reads the job of this process. */
  static ServerJob read() throws IOException {
    return JSON.readValue(Path.of(System.getProperty(ForkFlags.JOB, "")).toFile(), ServerJob.class);
  }

  Workplace workplace() throws IOException {
    return new Workplace(store, client, source, size, Sha256.of(HexFormat.of().parseHex(sha256)));
  }
}
