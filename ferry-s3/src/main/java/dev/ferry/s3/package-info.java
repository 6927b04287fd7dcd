/** A store of files in an S3 object store. */
@NullMarked
package dev.ferry.s3;

import org.jspecify.annotations.NullMarked;
