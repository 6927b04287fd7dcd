/** The servers of rows in JVMs of their own: on this machine, or on another one. */
@NullMarked
package dev.ferry.lab.run.server;

import org.jspecify.annotations.NullMarked;
