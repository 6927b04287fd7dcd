/** Tests of the reports. */
@NullMarked
package dev.ferry.lab.judge;

import org.jspecify.annotations.NullMarked;
