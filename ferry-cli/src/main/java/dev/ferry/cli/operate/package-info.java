/**
 * What an operator needs of {@code ferry serve}: metrics, health, drain, logs and audit log.
 *
 * <p>Metrics libraries are used by this package alone. The audit log is written by a thread of its
 * own, since the event loops that end requests must not wait for a disk.
 */
@NullMarked
package dev.ferry.cli.operate;

import org.jspecify.annotations.NullMarked;
