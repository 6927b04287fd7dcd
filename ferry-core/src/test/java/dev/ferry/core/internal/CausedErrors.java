package dev.ferry.core.internal;

import dev.ferry.core.FerryException;
import dev.ferry.core.Outage;
import dev.ferry.core.RefusingPort;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Causes errors of the system, and prints what they are taken for. */
final class CausedErrors {
  private CausedErrors() {}

  @FunctionalInterface
  private interface Cause {
    void run() throws IOException;
  }

  /**
   * Prints a line for each error: what it is taken for, and the system's text.
   *
   * @param args a folder
   */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    Files.createSymbolicLink(folder.resolve("loop"), folder.resolve("loop"));
    Path file = Files.createFile(folder.resolve("file"));
    RefusingPort refusing = new RefusingPort();
    SocketAddress closed = refusing.address();
    for (Cause cause :
        List.<Cause>of(
            () -> write(Path.of("/dev/full")),
            () -> {
              try (FileOutputStream full = new FileOutputStream("/dev/full")) {
                full.write(0);
              }
            },
            () -> write(folder),
            () -> Files.readAllBytes(folder),
            () -> Files.delete(file.resolve("below")),
            () -> write(folder.resolve("x".repeat(300))),
            () -> write(folder.resolve("loop")),
            () -> Files.setPosixFilePermissions(Path.of("/proc/self/status"), Set.of()),
            () -> {
              Pipe pipe = Pipe.open();
              pipe.source().close();
              try (Pipe.SinkChannel sink = pipe.sink()) {
                sink.write(ByteBuffer.allocate(1));
              }
            })) {
      print(cause, e -> FerryException.of(e, "it").kind() + " " + SystemError.of(e));
    }
    print(
        () -> {
          // One that is left to the garbage collector would be closed at any time, and then there
          // would be a descriptor left below.
          try (Socket socket = new Socket()) {
            socket.connect(closed);
          }
        },
        e -> String.valueOf(Outage.ofConnecting(e)));
    print(() -> SocketChannel.open(closed).close(), e -> String.valueOf(Outage.ofConnecting(e)));
    refusing.close();
    List<FileChannel> open = new ArrayList<>();
    print(
        () -> {
          while (true) {
            open.add(FileChannel.open(file));
          }
        },
        e -> String.valueOf(FerryException.of(e, "it").getMessage()));
  }

  private static void write(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1));
    }
  }

  @FunctionalInterface
  private interface Reading {
    String of(IOException failure);
  }

  private static void print(Cause cause, Reading reading) {
    try {
      cause.run();
      System.out.println("nothing");
    } catch (IOException e) {
      System.out.println(reading.of(e) + " | " + e.getMessage());
    }
  }
}
