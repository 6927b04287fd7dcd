/** The JVMs of forks, the flags that all forks of a run have, and the machine that runs them. */
@NullMarked
package dev.ferry.lab.run.jvm;

import org.jspecify.annotations.NullMarked;
