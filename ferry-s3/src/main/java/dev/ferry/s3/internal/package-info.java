/** How the store calls S3. */
@NullMarked
package dev.ferry.s3.internal;

import org.jspecify.annotations.NullMarked;
