package dev.ferry.http.internal.server;

import dev.ferry.core.StorePath;
import dev.ferry.wire.internal.contract.BasePath;
import dev.ferry.wire.internal.contract.HttpRoutes;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/** Writes the XML of WebDAV: a {@code multistatus} (RFC 4918, 13) and its parts. */
final class MultiStatus {
  private static final String PROLOG = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";
  private static final String BEGIN = PROLOG + "<D:multistatus xmlns:D=\"DAV:\">";
  private static final String END = "</D:multistatus>\n";
  private static final String XML = "application/xml; charset=utf-8";

  private final StringBuilder text = new StringBuilder();

  MultiStatus begin() {
    text.append(BEGIN);
    return this;
  }

  MultiStatus end() {
    text.append(END);
    return this;
  }

  /**
   * Begins a document with an element other than {@code multistatus}, which declares the prefix.
   */
  static MultiStatus document(String root) {
    return new MultiStatus().xml(PROLOG + "<D:" + root + " xmlns:D=\"DAV:\">");
  }

  /** Appends text that is XML already. */
  MultiStatus xml(String markup) {
    text.append(markup);
    return this;
  }

  /** Appends text, without the characters that XML cannot have. */
  MultiStatus text(String value) {
    value
        .codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '<' -> text.append("&lt;");
                case '>' -> text.append("&gt;");
                case '&' -> text.append("&amp;");
                case '"' -> text.append("&quot;");
                case '\r' -> text.append("&#13;");
                default -> text.appendCodePoint(isXml(c) ? c : '\ufffd');
              }
            });
    return this;
  }

  private static boolean isXml(int c) {
    return c == '\t'
        || c == '\n'
        || (c >= ' ' && c < Character.MIN_SURROGATE)
        || (c > Character.MAX_SURROGATE && c < 0xfffe)
        || c > 0xffff;
  }

  /** Appends the URI of a file or directory. */
  MultiStatus href(BasePath base, StorePath path, boolean directory) {
    String uri = base.before(HttpRoutes.uriPath(path));
    String slash = directory && !uri.endsWith("/") ? "/" : "";
    return xml("<D:href>").text(uri + slash).xml("</D:href>");
  }

  /** Appends an element with content that is XML. */
  MultiStatus element(QName name, String content) {
    open(name);
    return content.isEmpty() ? xml("/>") : xml(">" + content + "</" + tag(name) + ">");
  }

  private MultiStatus open(QName name) {
    String namespace = name.getNamespaceURI();
    xml("<" + tag(name));
    return namespace.equals(WebDavXml.DAV) ? this : xml(" xmlns=\"").text(namespace).xml("\"");
  }

  private static String tag(QName name) {
    return (name.getNamespaceURI().equals(WebDavXml.DAV) ? "D:" : "") + name.getLocalPart();
  }

  /** Appends a status and, if there is one, the reason. */
  MultiStatus status(int code, @Nullable String why) {
    xml("<D:status>HTTP/1.1 " + HttpResponseStatus.valueOf(code) + "</D:status>");
    return why == null
        ? this
        : xml("<D:responsedescription>").text(why).xml("</D:responsedescription>");
  }

  /** Appends properties with their status and, if there is one, the reason. */
  MultiStatus propstat(MultiStatus properties, int code, @Nullable String why) {
    return xml("<D:propstat><D:prop>" + properties + "</D:prop>")
        .status(code, why)
        .xml("</D:propstat>");
  }

  /** Returns what was written since the last call. */
  byte[] bytes() {
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    text.setLength(0);
    return bytes;
  }

  boolean isEmpty() {
    return text.length() == 0;
  }

  /** Returns what was written. */
  @Override
  public String toString() {
    return text.toString();
  }

  /** Returns a response with what was written. */
  FullHttpResponse response(int status) {
    return Responses.whole(HttpResponseStatus.valueOf(status), XML, bytes());
  }

  /** Returns the head of a response whose body is written while it is sent. */
  static HttpResponse head(boolean chunked) {
    HttpResponse response = Responses.made(chunked).setStatus(HttpResponseStatus.MULTI_STATUS);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, XML);
    return response;
  }
}
