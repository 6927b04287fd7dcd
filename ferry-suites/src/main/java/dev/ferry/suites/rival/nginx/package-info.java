/** nginx as a server of files, and curl as its client. */
@NullMarked
package dev.ferry.suites.rival.nginx;

import org.jspecify.annotations.NullMarked;
