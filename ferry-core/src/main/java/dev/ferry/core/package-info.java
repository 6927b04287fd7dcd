/** The carrier-neutral core: stores, file sources and sinks, digests and errors. */
@NullMarked
package dev.ferry.core;

import org.jspecify.annotations.NullMarked;
