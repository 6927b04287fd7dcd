/** What JMeter needs to load a server of Ferry, and to collect what its remote engines measure. */
@NullMarked
package dev.ferry.jmeter;

import org.jspecify.annotations.NullMarked;
