/** Compresses and decompresses whole messages between byte buffers, with pooled native codecs. */
@NullMarked
package dev.ferry.compress;

import org.jspecify.annotations.NullMarked;
