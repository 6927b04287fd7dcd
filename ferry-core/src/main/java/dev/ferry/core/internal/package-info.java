/** Shared internals of the carriers; not public API. */
@NullMarked
package dev.ferry.core.internal;

import org.jspecify.annotations.NullMarked;
