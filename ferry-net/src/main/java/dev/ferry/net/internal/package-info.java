/**
 * Guards of a server's ports: connection limits, frame limits, stall detection and access rules.
 */
@NullMarked
package dev.ferry.net.internal;

import org.jspecify.annotations.NullMarked;
