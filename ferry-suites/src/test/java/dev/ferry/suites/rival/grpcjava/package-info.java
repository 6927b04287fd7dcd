@NullMarked
package dev.ferry.suites.rival.grpcjava;

import org.jspecify.annotations.NullMarked;
