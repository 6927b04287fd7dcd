/** The commands for files on a server, and their connection to it. */
@NullMarked
package dev.ferry.cli.client;

import org.jspecify.annotations.NullMarked;
