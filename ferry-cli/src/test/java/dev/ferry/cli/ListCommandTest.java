package dev.ferry.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.cli.client.CarrierChoice;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.LocalFileStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** A list that has no end, and somebody who has read enough of it. */
@Timeout(300)
final class ListCommandTest {
  private static final String FIRST = "           7  1970-01-01T00:00:00Z  entry 1";

  @TempDir Path local;
  private EndlessStore store;
  private Servers servers;

  @BeforeEach
  void start() throws Exception {
    store = new EndlessStore(LocalFileStore.open(local));
    servers = Servers.start(store);
  }

  @AfterEach
  void stop() {
    servers.close();
  }

  /** Takes some text, as a pipe does whose reader goes away. */
  private static final class ClosingWriter extends Writer {
    private final StringWriter taken = new StringWriter();

    @Override
    public void write(char[] chars, int offset, int length) throws IOException {
      if (taken.getBuffer().length() > 100_000) {
        throw new IOException("Broken pipe");
      }
      taken.write(chars, offset, length);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @EnumSource
  void ls_whoseOutputIsNotReadOn_endsQuietly(CarrierChoice carrier) throws Exception {
    ClosingWriter out = new ClosingWriter();
    StringWriter err = new StringWriter();
    CommandLine commandLine =
        Main.newCommandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

    int exitCode =
        commandLine.execute("ls", "--server", servers.address(carrier), "--carrier=" + carrier);

    assertThat(exitCode).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(out.taken.toString()).startsWith(FIRST + System.lineSeparator());
    while (store.open.get() > 0) {
      Thread.sleep(5);
    }
  }

  @ParameterizedTest
  @EnumSource(names = "GRPC")
  void ls_intoAPipeThatIsClosed_endsQuietly(CarrierChoice carrier) throws Exception {
    Path err = local.resolve("err");
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                PseudoTerminal.SHORT_LIFE,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "ls",
                "--server=" + servers.address(carrier),
                "--carrier=" + carrier)
            .redirectError(err.toFile())
            .start();
    try {
      try (BufferedReader out =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        assertThat(out.readLine()).isEqualTo(FIRST);
      }
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(Files.readString(err)).isEmpty();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }

  /** A store whose directories have no end; counts the listings that are open. */
  private static final class EndlessStore extends ForwardingStore {
    private final AtomicInteger open = new AtomicInteger();

    EndlessStore(FileStore store) {
      super(store);
    }

    @Override
    public Listing list(StorePath directory) {
      open.incrementAndGet();
      return new Listing() {
        private long number;
        private boolean closed;

        @Override
        public FileFacts next() {
          number++;
          return new FileFacts("entry " + number, 7, Instant.EPOCH, false, null);
        }

        @Override
        public synchronized void close() {
          if (!closed) {
            closed = true;
            open.decrementAndGet();
          }
        }
      };
    }
  }
}
