/**
 * What small calls are about: rows, items, users and log records, made from a seed so that both
 * ends know them, and what a server answers from.
 */
@NullMarked
package dev.ferry.calls;

import org.jspecify.annotations.NullMarked;
