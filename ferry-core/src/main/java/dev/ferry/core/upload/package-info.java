/** Uploads that can be continued: their ids, and how far they are. */
@NullMarked
package dev.ferry.core.upload;

import org.jspecify.annotations.NullMarked;
