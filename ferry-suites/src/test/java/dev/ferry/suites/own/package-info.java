/** Tests of a service with a {@code .proto} that is not Ferry's. */
@NullMarked
package dev.ferry.suites.own;

import org.jspecify.annotations.NullMarked;
