/** Tests of Arrow Flight as a rival. */
@NullMarked
package dev.ferry.flight;

import org.jspecify.annotations.NullMarked;
