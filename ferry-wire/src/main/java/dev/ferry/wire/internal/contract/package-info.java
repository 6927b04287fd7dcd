/** The wire contract: routes, headers, limits, and the mapping of errors on each carrier. */
@NullMarked
package dev.ferry.wire.internal.contract;

import org.jspecify.annotations.NullMarked;
