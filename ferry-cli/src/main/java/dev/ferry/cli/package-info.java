/**
 * The command line: thin commands over the library.
 *
 * <p>A command that lists a folder takes less than half a second, most of it for class loading. So
 * the launcher {@code ferry} uses a class data archive, which {@code tools/archive-classes.sh}
 * makes in the background of the first run. It is static, because JDK 17 keeps classes as old as
 * those of picocli only in static archives. Short commands run with the first compiler of the JVM
 * alone, and configure logging in code; those that compute SHA-256 need the second.
 */
@NullMarked
package dev.ferry.cli;

import org.jspecify.annotations.NullMarked;
