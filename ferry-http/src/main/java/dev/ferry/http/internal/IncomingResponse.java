package dev.ferry.http.internal;

import dev.ferry.http.HttpProtocol;
import java.io.InputStream;

/**
 * The head of a response, and its body as it arrives, whichever client brings it.
 *
 * @param protocol as negotiated, a {@link HttpProtocol#wireName}
 * @param body closed by whoever asked, which gives up what was not read of it; may be {@link
 *     FileBound}
 */
public record IncomingResponse(
    int status, Fields fields, HttpProtocol protocol, InputStream body) {}
