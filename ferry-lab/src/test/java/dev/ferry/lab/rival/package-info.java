/** Tests of the servers and clients that rows are measured against. */
@NullMarked
package dev.ferry.lab.rival;

import org.jspecify.annotations.NullMarked;
