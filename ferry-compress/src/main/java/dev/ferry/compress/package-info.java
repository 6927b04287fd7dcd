/**
 * Compresses and decompresses whole messages between byte buffers, with pooled native codecs.
 *
 * <p>gzip is one member for a message. A message that does not shrink is stored in its member by
 * code of this package, so a member never takes more than the stored form and 18 bytes, whichever
 * zlib the JDK uses. Decompressing checks magic, flags, checksums, length and end, and writes no
 * more than the target has room for.
 *
 * <p>Intel's GKL is an optional dependency for level 1 on x86-64. Its classes extend {@code
 * Deflater} and {@code Inflater}, but ignore offsets, do not report how much they read, and report
 * a truncated stream as finished. So they get one array for a message, and if the result is not one
 * sound member by length and CRC-32, the JDK's codec decides.
 *
 * <p>zstd frames are decompressed straight into the target, so no frame makes the library allocate
 * a window. Formats older than the standard are refused, although the library reads them.
 */
@NullMarked
package dev.ferry.compress;

import org.jspecify.annotations.NullMarked;
