/** What an operator needs of {@code ferry serve}: metrics, health, drain, logs and audit log. */
@NullMarked
package dev.ferry.cli.operate;

import org.jspecify.annotations.NullMarked;
