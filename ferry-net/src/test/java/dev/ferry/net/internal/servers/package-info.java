/** Tests of clients of several servers, for all carriers. */
@NullMarked
package dev.ferry.net.internal.servers;

import org.jspecify.annotations.NullMarked;
