@NullMarked
package dev.ferry.lab.run.server;

import org.jspecify.annotations.NullMarked;
