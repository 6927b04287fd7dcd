/** Tests of the runner. */
@NullMarked
package dev.ferry.lab.run;

import org.jspecify.annotations.NullMarked;
