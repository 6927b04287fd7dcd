/** The records of a network between client and server, and of what was measured of it. */
@NullMarked
package dev.ferry.lab.model.network;

import org.jspecify.annotations.NullMarked;
