/** Whole commands as a person types them, from a cold start: Ferry's, curl, rsync and rclone. */
@NullMarked
package dev.ferry.suites.commands;

import org.jspecify.annotations.NullMarked;
