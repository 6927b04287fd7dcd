/**
 * The servers of rows in JVMs of their own: on this machine, or on another one.
 *
 * <p>A fork speaks to a {@link dev.ferry.lab.run.server.ServerProcess}, in lines; {@link
 * dev.ferry.lab.run.server.ServerMain} is at the other end. The JVM is local, with pipes, or remote
 * over a control connection to a {@link dev.ferry.lab.run.server.BenchServer}, which checks the
 * token and the build, receives the file, and passes the lines on. When a connection ends, the JVM
 * at its end does, too.
 */
@NullMarked
package dev.ferry.lab.run.server;

import org.jspecify.annotations.NullMarked;
