/**
 * The command {@code sync}: a folder is made like another one.
 *
 * <p>Both ends are read in the order of their names, and the names are paired. With {@code
 * --delete} this is done three times: to copy, to count what will be deleted, and to delete it. So
 * nothing is deleted before all is copied and the limit is checked, and no list of names waits in
 * memory. A server that lists names out of order is refused, since names would seem to be missing.
 */
@NullMarked
package dev.ferry.cli.sync;

import org.jspecify.annotations.NullMarked;
