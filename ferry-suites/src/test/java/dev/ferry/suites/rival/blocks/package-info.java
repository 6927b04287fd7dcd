@NullMarked
package dev.ferry.suites.rival.blocks;

import org.jspecify.annotations.NullMarked;
