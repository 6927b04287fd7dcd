/** Tests of what counts bytes. */
@NullMarked
package dev.ferry.suites.wire;

import org.jspecify.annotations.NullMarked;
