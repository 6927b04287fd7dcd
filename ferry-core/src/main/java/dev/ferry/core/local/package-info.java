/** Files on local disks: the store, receiving files, and temporary names. */
@NullMarked
package dev.ferry.core.local;

import org.jspecify.annotations.NullMarked;
