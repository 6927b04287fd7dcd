/** reactor-netty's HTTP client. */
@NullMarked
package dev.ferry.suites.rival.reactor;

import org.jspecify.annotations.NullMarked;
