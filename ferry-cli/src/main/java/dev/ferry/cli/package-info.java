/**
 * The command line: thin commands over the library.
 *
 * <p>Most of the time of a short command is its start. So the launcher {@code ferry} uses a class
 * data archive, which {@code tools/archive-classes.sh} makes after a build. It is static, because
 * JDK 17 keeps classes as old as those of picocli only in static archives. Beside it, a file has
 * what parsing needs of the annotations ({@link dev.ferry.cli.program.RecordedCommands}). On the
 * way of a command over HTTP there is no logging, no JSON and no library of gRPC. Short commands
 * run with the first compiler of the JVM alone; those that compute SHA-256 need the second.
 */
@NullMarked
package dev.ferry.cli;

import org.jspecify.annotations.NullMarked;
