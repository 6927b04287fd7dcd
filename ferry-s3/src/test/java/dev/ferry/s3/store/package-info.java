/** Object stores that tests start. */
@NullMarked
package dev.ferry.s3.store;

import org.jspecify.annotations.NullMarked;
