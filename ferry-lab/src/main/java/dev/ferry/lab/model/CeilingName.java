package dev.ferry.lab.model;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All ceilings that can be measured. Each is one part of the work of a transfer, measured in
 * isolation.
 */
public enum CeilingName {
  /** A download without a protocol. */
  SOCKET_DOWNLOAD(
      "socket-download",
      false,
      "server sends the file over a kept loopback socket, client writes a fresh file"),
  /** An upload without a protocol. */
  SOCKET_UPLOAD(
      "socket-upload",
      false,
      "client sends the file over a kept loopback socket, server writes a fresh file and answers one"
          + " byte"),
  /** {@link #SOCKET_DOWNLOAD} over a connection that is made for it. */
  SOCKET_DOWNLOAD_NEW(
      "socket-download-new", false, "connects, and then as socket-download, for each file"),
  /** {@link #SOCKET_UPLOAD} over a connection that is made for it. */
  SOCKET_UPLOAD_NEW(
      "socket-upload-new", false, "connects, and then as socket-upload, for each file"),
  /** The disk part of a receiver. */
  FILE_WRITE("file-write", false, "memory to a fresh file, 256 KiB at a time"),
  /** The disk part of a sender. */
  FILE_READ("file-read", false, "file in the page cache to a buffer of 256 KiB"),
  /** Compression on one core. */
  DEFLATE_1(
      "deflate-1",
      true,
      "gzip level 1 by java.util.zip, members of 64 KiB, memory to memory, one thread"),
  /** Compression on all cores. */
  DEFLATE_ALL("deflate-all", true, "as deflate-1, a thread for every core"),
  /** Decompression on one core. */
  INFLATE_1(
      "inflate-1",
      true,
      "gunzip by java.util.zip, members of 64 KiB, memory to memory, one thread"),
  /** Decompression on all cores. */
  INFLATE_ALL("inflate-all", true, "as inflate-1, a thread for every core"),
  /** Compression and decompression on all cores, which every compressed transfer needs. */
  GZIP_ALL(
      "gzip-all",
      true,
      "gzip level 1 by java.util.zip and gunzip of every member, a thread for every core"),
  /** {@link #GZIP_ALL} with Intel's library, if it is available. */
  GZIP_INTEL_ALL("gzip-intel-all", true, "as gzip-all, by Intel GKL"),
  /** The digest of every transfer. */
  SHA_256("sha-256", false, "SHA-256 from memory, one thread"),
  /** The cheapest digest of the JDK. */
  CRC_32C("crc-32c", false, "CRC-32C from memory, one thread"),
  /** The thread wake-ups of a call whose caller is not an event loop. */
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

  /**
   * Returns the name of a ceiling.
   *
   * @throws IllegalArgumentException if there is no such ceiling
   */
  public static CeilingName of(RowKey ceiling) {
    return Stream.of(values())
        .filter(name -> ceiling.isCeiling() && name.label.equals(ceiling.method()))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(ceiling.method() + " is not a ceiling"));
  }

  /** Returns the name in reports. */
  public String label() {
    return label;
  }

  /**
   * Returns whether the ceiling compresses or decompresses, which takes ten times as long as the
   * other ceilings.
   */
  public boolean compresses() {
    return compresses;
  }

  /** Returns the direction of a transfer over a socket; null for other ceilings. */
  public @Nullable Direction direction() {
    return switch (this) {
      case SOCKET_DOWNLOAD, SOCKET_DOWNLOAD_NEW -> Direction.DOWNLOAD;
      case SOCKET_UPLOAD, SOCKET_UPLOAD_NEW -> Direction.UPLOAD;
      default -> null;
    };
  }

  /** Returns whether each transfer has a connection of its own, which is made in its time. */
  public boolean connects() {
    return this == SOCKET_DOWNLOAD_NEW || this == SOCKET_UPLOAD_NEW;
  }

  /** Returns a one-line description. */
  public String does() {
    return does;
  }

  @Override
  public String toString() {
    return label;
  }
}
