/** Tests of clients of several servers, for all carriers. */
@NullMarked
package dev.ferry.wire.internal.servers;

import org.jspecify.annotations.NullMarked;
