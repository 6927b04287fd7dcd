/** What a caller uses of a server, and how much of it its limits leave. */
@NullMarked
package dev.ferry.wire.internal.quota;

import org.jspecify.annotations.NullMarked;
