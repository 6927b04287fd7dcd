package dev.ferry.calls;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Appends log records to a file, one line of JSON each. Records survive the end of the process, but
 * not necessarily a crash of the machine, because the file is not forced to the disk. Thread-safe.
 */
public final class FileLogs implements LogStore, Closeable {
  private static final JsonFactory JSON = new JsonFactory();
  private static final JsonMapper MAPPER = new JsonMapper();

  /** The file position of every 1024th record is remembered. */
  private static final int STRIDE = 1024;

  private final Path file;
  private final FileChannel channel;
  private final List<Long> strides = new ArrayList<>();
  private long end;
  private long count;

  private FileLogs(Path file, FileChannel channel) throws IOException {
    this.file = file;
    this.channel = channel;
    this.end = channel.size();
  }

  /**
   * Opens or creates a file. Existing records are not counted.
   *
   * @throws FerryException if the file cannot be opened for writing
   */
  public static FileLogs open(Path file) throws FerryException {
    try {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
      return new FileLogs(file, channel);
    } catch (IOException e) {
      throw FerryException.of(e, file.toString());
    }
  }

  @Override
  public long append(LogRecord record) throws FerryException {
    ByteBuffer line = ByteBuffer.wrap(line(record));
    synchronized (this) {
      long begin = end;
      try {
        while (line.hasRemaining()) {
          end += channel.write(line);
        }
      } catch (IOException e) {
        takeBack(begin, e);
        throw failure(e);
      }
      if (count % STRIDE == 0) {
        strides.add(begin);
      }
      return count++;
    }
  }

  /** Removes a partially written line, so that the next record starts on its own line. */
  private void takeBack(long begin, IOException why) {
    try {
      channel.truncate(begin);
      end = begin;
    } catch (IOException e) {
      why.addSuppressed(e);
    }
  }

  private FerryException failure(IOException e) {
    return FerryException.of(e, "log " + file.getFileName());
  }

  /** Reads at most 1024 records to find one. */
  @Override
  public LogRecord record(long number) throws FerryException {
    long begin;
    synchronized (this) {
      if (number < 0 || number >= count) {
        throw new FerryException(
            ErrorKind.NOT_FOUND, "log record " + number + " does not exist: there are " + count);
      }
      begin = strides.get((int) (number / STRIDE));
    }
    try (FileChannel in = FileChannel.open(file).position(begin);
        BufferedReader lines = new BufferedReader(Channels.newReader(in, StandardCharsets.UTF_8))) {
      for (long skipped = number % STRIDE; skipped > 0; skipped--) {
        lines.readLine();
      }
      return MAPPER.readValue(Objects.requireNonNull(lines.readLine()), LogRecord.class);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private static byte[] line(LogRecord record) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      json.writeNumberField("timestampMillis", record.timestampMillis());
      json.writeStringField("level", record.level().name());
      json.writeStringField("category", record.category());
      json.writeStringField("message", record.message());
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (IOException e) {
      throw new IllegalStateException("memory takes every byte", e);
    }
    return bytes.toByteArray();
  }

  @Override
  public synchronized long count() {
    return count;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
