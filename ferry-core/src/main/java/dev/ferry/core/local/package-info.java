/**
 * Files on local disks: the store, receiving files, and temporary names.
 *
 * <p>Names, files and digests change together: a store renames a file and remembers its digest in
 * one step, and opens a file and looks its digest up in one step, since file systems give the inode
 * number of a deleted file to the next one. The numbers of files and folders are not limited: each
 * costs its sender a request, and the store no memory.
 */
@NullMarked
package dev.ferry.core.local;

import org.jspecify.annotations.NullMarked;
