/**
 * Guards of a server's ports: connection limits, frame limits, stall detection and access rules.
 *
 * <p>A request passes them in this order. {@link dev.ferry.wire.internal.ConnectionGuard} is the
 * first handler of each connection that sees plaintext bytes, so it works for every server on
 * Netty, and also sees frames that these answer or drop by themselves. {@link
 * dev.ferry.wire.internal.AccessRules} refuses requests of foreign web pages. {@link
 * dev.ferry.wire.internal.Requests} reports those that begin, and refuses them while the port
 * drains. {@link dev.ferry.wire.internal.CallerStores} gives them the store of their caller, and
 * {@link dev.ferry.wire.internal.FileOperations} says what they do there.
 *
 * <p>Correct clients send many frames that move nothing, so requests and bytes earn more of them. A
 * client is silent only while the server has nothing to do for it.
 */
@NullMarked
package dev.ferry.wire.internal;

import org.jspecify.annotations.NullMarked;
