/**
 * Armeria, as a rival: its server and its clients as its documentation builds them.
 *
 * <p>Set beside its defaults, because a file does not pass without it: no limit of size or time on
 * requests and responses ({@code maxRequestLength(0)}, {@code requestTimeout(0)}, {@code
 * maxResponseLength(0)}, {@code responseTimeout(0)}), and listeners and services on threads that
 * may block. Set so that rows compare alike: gzip at the level of all other rows, event loops that
 * are not shared between both ends, messages of the method that a row names. One fault is worked
 * around, without which downloads fail now and then ({@code WireCount}). Nothing here keeps Ferry's
 * limits on clients or guards against broken peers.
 */
@NullMarked
package dev.ferry.suites.rival.armeria;

import org.jspecify.annotations.NullMarked;
