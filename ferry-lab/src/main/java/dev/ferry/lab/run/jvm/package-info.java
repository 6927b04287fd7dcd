/** The JVMs of forks, and the flags that all forks of a run have. */
@NullMarked
package dev.ferry.lab.run.jvm;

import org.jspecify.annotations.NullMarked;
