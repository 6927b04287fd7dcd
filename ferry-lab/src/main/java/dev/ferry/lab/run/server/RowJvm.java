package dev.ferry.lab.run.server;

import dev.ferry.lab.model.Daemon;
import dev.ferry.lab.run.jvm.ForkFlags;
import dev.ferry.lab.run.jvm.Jvm;
import dev.ferry.lab.run.jvm.Jvms;
import dev.ferry.lab.suite.RowSpec;
import dev.ferry.lab.suite.ServerHost;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The JVM of a row's server on the machine of a bench server. Its files are deleted when it has
 * ended.
 */
record RowJvm(Process process, Path folder) implements AutoCloseable {
  /** The maximum time for an orderly shutdown. It includes the time that the JVM allows itself. */
  private static final int END_SECONDS = 10;

  /**
   * Starts the JVM.
   *
   * @param folder a new folder, which is deleted at the end
   * @param address where the server of the row listens
   * @param source the file of the row
   */
  static RowJvm start(Path folder, InetAddress address, ServerRequest request, Path source)
      throws IOException {
    try {
      Path store = Files.createDirectory(folder.resolve("store"));
      Path client = Files.createDirectory(folder.resolve("client"));
      Path temporary = Files.createDirectory(folder.resolve("tmp"));
      Path jobFile = folder.resolve("job.json");
      ControlLine.JSON.writeValue(
          jobFile.toFile(),
          new ServerJob(
              List.of(request.row()),
              store,
              client,
              link(source, store.resolve(request.source())),
              request.bytes(),
              request.sha256()));
      RowSpec row = request.spec();
      Jvm jvm = Jvms.DEFAULT.unnamed();
      List<String> command = new ArrayList<>();
      command.add(jvm.program().toString());
      command.addAll(ForkFlags.of(jvm, request.flags(), jobFile, temporary));
      command.add(ServerHost.flag(address.getHostAddress()));
      command.addAll(row.needs().flags());
      command.add("-cp");
      command.add(System.getProperty("java.class.path", ""));
      command.add(ServerMain.class.getName());
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      return new RowJvm(process, folder);
    } catch (IOException | RuntimeException e) {
      Folders.delete(folder);
      throw e;
    }
  }

  private static Path link(Path source, Path name) throws IOException {
    try {
      return Files.createLink(name, source);
    } catch (IOException | UnsupportedOperationException e) {
      // It is another file system, or one without links.
      return Files.copy(source, name);
    }
  }

  /** Passes lines between the client and the JVM on, until either ends. */
  void relay(ControlConnection connection) throws InterruptedException {
    Thread answers = Daemon.start("ferry-row-answers", () -> answer(connection));
    try (OutputStream requests = process.getOutputStream()) {
      String line = connection.readLine(ControlLine.MOST_REQUEST_BYTES);
      while (line != null) {
        requests.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        requests.flush();
        line = connection.readLine(ControlLine.MOST_REQUEST_BYTES);
      }
    } catch (IOException e) {
      // The client or the JVM is gone, and the other one has to follow.
      process.destroy();
    }
    if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    // A client that reads nothing would keep the thread; the end of the connection ends it.
    answers.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
  }

  private void answer(ControlConnection connection) {
    try (InputStream answers = process.getInputStream()) {
      String line = ControlConnection.readLine(answers, ControlConnection.MOST_LINE_BYTES);
      while (line != null) {
        connection.writeLine(line);
        line = ControlConnection.readLine(answers, ControlConnection.MOST_LINE_BYTES);
      }
      connection.writeLine(ServerLine.answer(ServerLine.EXIT, Integer.toString(process.waitFor())));
      connection.endLines();
    } catch (IOException e) {
      // The client is gone, and needs no answers.
      process.destroy();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    Folders.delete(folder);
  }
}
