/** The carrier-neutral core: stores, files on their way in and out, digests and the error model. */
@NullMarked
package dev.ferry.core;

import org.jspecify.annotations.NullMarked;
