/**
 * A file server and its client by Netty alone, as Netty's own examples have them
 * (HttpStaticFileServer of io.netty.example): NIO, the HTTP codecs, {@code sendfile}, no tuning.
 */
@NullMarked
package dev.ferry.suites.rival.netty;

import org.jspecify.annotations.NullMarked;
