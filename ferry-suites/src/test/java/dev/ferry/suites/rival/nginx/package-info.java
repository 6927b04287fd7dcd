@NullMarked
package dev.ferry.suites.rival.nginx;

import org.jspecify.annotations.NullMarked;
