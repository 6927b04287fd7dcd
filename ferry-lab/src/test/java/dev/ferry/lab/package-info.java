/** Tests of the lab as a whole. */
@NullMarked
package dev.ferry.lab;

import org.jspecify.annotations.NullMarked;
