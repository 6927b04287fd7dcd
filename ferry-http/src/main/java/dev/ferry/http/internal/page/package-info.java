/**
 * What people get from the HTTP port: the page of a folder, its assets, archives, media types, and
 * what a form uploads. The package knows the store and no protocol but the fields of HTTP.
 *
 * <p>What users have stored must not run as a script of the page, which could do all that its
 * reader may do. So the policy of the page runs only scripts with a nonce of this response, every
 * name is escaped, and files are served in a sandbox ({@link
 * dev.ferry.http.internal.page.ContentFields}).
 */
@NullMarked
package dev.ferry.http.internal.page;

import org.jspecify.annotations.NullMarked;
