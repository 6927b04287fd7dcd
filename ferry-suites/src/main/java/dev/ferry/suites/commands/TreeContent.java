package dev.ferry.suites.commands;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;

/**
 * What is in a file, or in all files of a folder.
 *
 * @param files the number of files
 * @param bytes their size together
 * @param crc32c of their names below the folder and their bytes, in the order of the names
 */
record TreeContent(int files, long bytes, long crc32c) {
  private static final int FILES_PER_FOLDER = 100;

  /**
   * Makes a tree of files whose bytes differ, in folders of {@value #FILES_PER_FOLDER}, or finds
   * the one that an earlier row of the run has made.
   *
   * @param folder where it is
   * @return its folder
   */
  static Path fill(Path folder, int files, int bytes) throws IOException {
    Path tree = folder.resolve("tree-" + files + "-" + bytes);
    if (Files.exists(tree)) {
      return tree;
    }
    Path made = folder.resolve("made-" + ProcessHandle.current().pid());
    Random random = new Random(files);
    byte[] content = new byte[bytes];
    for (int i = 0; i < files; i++) {
      Path parent = Files.createDirectories(made.resolve(folder(i)));
      random.nextBytes(content);
      Files.write(parent.resolve("file-" + i), content);
    }
    return Files.move(made, tree);
  }

  /** The name of the folder that the file of a number is in. */
  static String folder(int file) {
    return "folder-" + file / FILES_PER_FOLDER;
  }

  /** Reads all of it. */
  static TreeContent of(Path root) throws IOException {
    CheckedOutputStream summed =
        new CheckedOutputStream(OutputStream.nullOutputStream(), new CRC32C());
    long bytes = 0;
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path file : files) {
      summed.write(root.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
      bytes += Files.copy(file, summed);
    }
    return new TreeContent(files.size(), bytes, summed.getChecksum().getValue());
  }

  @Override
  public String toString() {
    return "%d files, %d bytes, CRC-32C %08x".formatted(files, bytes, crc32c);
  }
}
