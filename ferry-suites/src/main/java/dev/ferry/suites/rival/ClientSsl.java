package dev.ferry.suites.rival;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * How a client encrypts with the JDK.
 *
 * @param parameters the same protocol and ciphers for all clients
 */
public record ClientSsl(SSLContext context, SSLParameters parameters) {}
