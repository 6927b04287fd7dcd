package dev.ferry.lab.model;

/** Every ceiling that can be measured: a part of the work, done with nothing around it. */
public enum CeilingName {
  /** A download without a protocol. */
  SOCKET_DOWNLOAD(
      "socket-download",
      false,
      "server reads and sends 256 KiB at a time over a kept loopback socket, client writes a fresh"
          + " file"),
  /** A download without a protocol, through {@code sendfile}. */
  SOCKET_DOWNLOAD_TRANSFER(
      "socket-download-transfer", false, "as socket-download, sent with FileChannel.transferTo"),
  /** An upload without a protocol. */
  SOCKET_UPLOAD(
      "socket-upload",
      false,
      "client reads and sends 256 KiB at a time over a kept loopback socket, server writes a fresh"
          + " file and answers one byte"),
  /** An upload without a protocol, through {@code sendfile}. */
  SOCKET_UPLOAD_TRANSFER(
      "socket-upload-transfer", false, "as socket-upload, sent with FileChannel.transferTo"),
  /** The disk's half of a receiver. */
  FILE_WRITE("file-write", false, "memory to a fresh file, 256 KiB at a time"),
  /** The disk's half of a sender. */
  FILE_READ("file-read", false, "file in the page cache to a buffer of 256 KiB"),
  /** Compressing, one core. */
  DEFLATE_1(
      "deflate-1",
      true,
      "gzip level 1 by java.util.zip, members of 64 KiB, memory to memory, one thread"),
  /** Compressing, every core. */
  DEFLATE_ALL("deflate-all", true, "as deflate-1, a thread for every core"),
  /** Decompressing, one core. */
  INFLATE_1(
      "inflate-1",
      true,
      "gunzip by java.util.zip, members of 64 KiB, memory to memory, one thread"),
  /** Decompressing, every core. */
  INFLATE_ALL("inflate-all", true, "as inflate-1, a thread for every core"),
  /** What a compressed transfer cannot do without. */
  GZIP_ALL(
      "gzip-all",
      true,
      "gzip level 1 by java.util.zip and gunzip of every member, a thread for every core"),
  /** The same with Intel's library, where there is that. */
  GZIP_INTEL_ALL("gzip-intel-all", true, "as gzip-all, by Intel GKL"),
  /** The digest of every transfer. */
  SHA_256("sha-256", false, "SHA-256 from memory, one thread"),
  /** The cheapest digest the JDK has. */
  CRC_32C("crc-32c", false, "CRC-32C from memory, one thread"),
  /** What no call from a thread of its own can do without. */
  PING_PONG(
      "ping-pong",
      false,
      "64 bytes from a caller's thread to a Netty server's event loop and back, over a kept loopback"
          + " socket");

  private final String label;
  private final boolean compresses;
  private final String does;

  CeilingName(String label, boolean compresses, String does) {
    this.label = label;
    this.compresses = compresses;
    this.does = does;
  }

  /** The name as in reports. */
  public String label() {
    return label;
  }

  /** Whether it compresses or decompresses, which takes ten times as long as the others. */
  public boolean compresses() {
    return compresses;
  }

  /** What it does, in one line. */
  public String does() {
    return does;
  }

  @Override
  public String toString() {
    return label;
  }
}
