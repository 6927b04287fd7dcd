package dev.ferry.core;

import org.jspecify.annotations.Nullable;

/**
 * A part of a file to download.
 *
 * @param offset the position of its first byte, from 0
 * @param length bytes, from 1; fewer are sent if the file ends before
 * @param version the {@linkplain FileFacts#version version} of the file; null for the present one
 */
public record PartRequest(long offset, long length, @Nullable String version) {
  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if the offset is negative, the length is not positive, or
   *     their sum is over 2^63 - 1
   */
  public PartRequest {
    if (offset < 0 || length < 1 || offset > Long.MAX_VALUE - length) {
      throw new IllegalArgumentException("a file has no part of " + length + " bytes at " + offset);
    }
  }
}
