/** What hostile clients do to a server, and whether it still serves others. */
@NullMarked
package dev.ferry.cli.hostile;

import org.jspecify.annotations.NullMarked;
