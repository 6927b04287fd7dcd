/** Trees of files: how they are walked, which files are chosen, and how many move at a time. */
@NullMarked
package dev.ferry.cli.tree;

import org.jspecify.annotations.NullMarked;
