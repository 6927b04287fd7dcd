@NullMarked
package dev.ferry.suites.tls;

import org.jspecify.annotations.NullMarked;
