/** Messages packed and unpacked in one go, between byte buffers, with pooled native codecs. */
@NullMarked
package dev.ferry.pack;

import org.jspecify.annotations.NullMarked;
