/**
 * A store of files in an S3 object store.
 *
 * <p>The state of uploads is in the object store, so no server keeps what another one needs. If two
 * hold the same upload, the one whose client is gone discards nothing of the other. A list is
 * sorted in memory: S3 sorts the folder {@code a} as {@code a/}, which is behind {@code a-b}.
 */
@NullMarked
package dev.ferry.s3;

import org.jspecify.annotations.NullMarked;
