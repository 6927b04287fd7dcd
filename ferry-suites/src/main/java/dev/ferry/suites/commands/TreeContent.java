package dev.ferry.suites.commands;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * What is in a file, or in all files of a folder.
 *
 * @param files the number of files
 * @param bytes their size together
 * @param crc32c of their names below the folder and their bytes, in the order of the names
 */
record TreeContent(int files, long bytes, long crc32c) {
  private static final int FILES_PER_FOLDER = 100;

  /** Of files whose bytes differ, in folders of {@value #FILES_PER_FOLDER}. */
  static void fill(Path folder, int files, int bytes) throws IOException {
    Random random = new Random(files);
    byte[] content = new byte[bytes];
    for (int i = 0; i < files; i++) {
      Path parent = Files.createDirectories(folder.resolve("folder-" + i / FILES_PER_FOLDER));
      random.nextBytes(content);
      Files.write(parent.resolve("file-" + i), content);
    }
  }

  /** Reads all of it. */
  static TreeContent of(Path root) throws IOException {
    CRC32C crc = new CRC32C();
    ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
    long bytes = 0;
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path file : files) {
      crc.update(root.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
      try (FileChannel in = FileChannel.open(file)) {
        while (in.read(buffer.clear()) >= 0) {
          bytes += buffer.flip().remaining();
          crc.update(buffer);
        }
      }
    }
    return new TreeContent(files.size(), bytes, crc.getValue());
  }

  @Override
  public String toString() {
    return "%d files, %d bytes, CRC-32C %08x".formatted(files, bytes, crc32c);
  }
}
