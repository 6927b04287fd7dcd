/** A wire with delay, rate, queue and loss between the two ends of a row. */
@NullMarked
package dev.ferry.lab.network;

import org.jspecify.annotations.NullMarked;
