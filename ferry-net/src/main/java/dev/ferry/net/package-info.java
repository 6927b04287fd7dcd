/** What the ports of a server share, whichever protocol they speak: limits on their clients. */
@NullMarked
package dev.ferry.net;

import org.jspecify.annotations.NullMarked;
