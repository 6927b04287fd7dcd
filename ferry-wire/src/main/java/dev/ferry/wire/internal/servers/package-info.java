/**
 * Clients of several servers that serve the same store.
 *
 * <p>Servers of the same files keep nothing that the others lack, so each request may go to any of
 * them. gRPC has one channel for all, which watches the health of each; HTTP has a carrier for
 * each. A call that was not executed goes to the next server. So does one that changes nothing if
 * the server is unavailable. A change whose outcome is unknown is for {@link
 * dev.ferry.core.Retries}: a server, a store or a proxy may say that it is unavailable after the
 * change was made.
 */
@NullMarked
package dev.ferry.wire.internal.servers;

import org.jspecify.annotations.NullMarked;
