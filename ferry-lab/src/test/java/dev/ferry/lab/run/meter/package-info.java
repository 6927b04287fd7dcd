@NullMarked
package dev.ferry.lab.run.meter;

import org.jspecify.annotations.NullMarked;
