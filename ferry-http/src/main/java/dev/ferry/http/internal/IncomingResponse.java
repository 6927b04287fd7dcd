package dev.ferry.http.internal;

import dev.ferry.http.HttpProtocol;
import java.io.InputStream;

/**
 * The head of a response and its body, independent of the HTTP client.
 *
 * @param protocol the negotiated protocol
 * @param body the body, which may be {@link FileTransferable}. The requester closes it, which
 *     discards the unread rest.
 */
public record IncomingResponse(
    int status, Fields fields, HttpProtocol protocol, InputStream body) {}
