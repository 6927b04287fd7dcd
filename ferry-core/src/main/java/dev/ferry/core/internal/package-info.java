/** What carriers share; not for users of the library. */
@NullMarked
package dev.ferry.core.internal;

import org.jspecify.annotations.NullMarked;
