/** Tests of the reports. */
@NullMarked
package dev.ferry.lab.report;

import org.jspecify.annotations.NullMarked;
