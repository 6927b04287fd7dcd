/** Who reaches a server, and what must stay out of their reach. */
@NullMarked
package dev.ferry.cli.access;

import org.jspecify.annotations.NullMarked;
