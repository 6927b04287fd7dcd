/**
 * A wire with delay, rate, queue and loss between the two ends of a row.
 *
 * <p>A forwarder ({@code wire.c}) makes two network namespaces with a TUN device in each, and
 * passes packets between them. A process gets to an end by the same program, which enters the
 * namespace and starts the command; what that starts is at the same end, and so are nginx, curl and
 * other programs of rows. The forwarder counts round trips and what TCP sends again in a page of
 * memory that the forks map.
 */
@NullMarked
package dev.ferry.lab.network;

import org.jspecify.annotations.NullMarked;
