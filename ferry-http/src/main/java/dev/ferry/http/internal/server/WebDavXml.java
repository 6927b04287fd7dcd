package dev.ferry.http.internal.server;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/**
 * An element of the body of a WebDAV request, in UTF-8, or in UTF-16 with its mark. A body is
 * small, so it is read as a whole: in at most {@value #MAX_BYTES} bytes, {@value #MAX_DEPTH} levels
 * and {@value #MAX_ELEMENTS} elements, without a document type, so without entities of its own or
 * of other documents.
 *
 * @param text all text in it that is not in an element of it, stripped
 * @param elements those in it, in their order
 */
record WebDavXml(QName name, String text, List<WebDavXml> elements) {
  static final int MAX_BYTES = 64 * 1024;
  private static final int MAX_DEPTH = 16;
  private static final int MAX_NAMESPACE = 256;
  private static final int MAX_ELEMENTS = 512;

  /** The namespace of WebDAV. */
  static final String DAV = "DAV:";

  private static final XMLInputFactory FACTORY = factory();

  private static XMLInputFactory factory() {
    // That of the JDK, whatever else is on the class path.
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
    factory.setXMLReporter((message, type, information, location) -> {});
    factory.setXMLResolver(
        (publicId, systemId, base, namespace) -> {
          throw new XMLStreamException("entities are not read");
        });
    return factory;
  }

  /**
   * Reads a body.
   *
   * @return null if there is none
   * @throws FerryException with {@link ErrorKind#INVALID_REQUEST} if it is malformed, or beyond a
   *     limit
   */
  static @Nullable WebDavXml parse(byte[] body) throws FerryException {
    if (body.length == 0) {
      return null;
    }
    try {
      String text = text(body);
      if (text.contains("<!DOCTYPE")) {
        // The parser prints those that are cut to the standard error of the server.
        throw refused("has a document type, which is not read", 0);
      }
      XMLStreamReader reader;
      synchronized (FACTORY) {
        // The factory of the JDK is not thread-safe.
        reader = FACTORY.createXMLStreamReader(new StringReader(text));
      }
      try {
        return document(reader);
      } finally {
        reader.close();
      }
    } catch (FerryException e) {
      throw e;
    } catch (XMLStreamException | CharacterCodingException | RuntimeException e) {
      // The parser of the JDK has unchecked exceptions for some documents.
      throw new FerryException(
          ErrorKind.INVALID_REQUEST, "the body is not well-formed XML; check what sends it", e);
    }
  }

  /**
   * Decodes a body. The parser is not to do that: it prints what is malformed to the standard error
   * of the server.
   */
  private static String text(byte[] body) throws CharacterCodingException {
    boolean wide = body.length >= 2 && (body[0] & body[1] & 0xfe) == 0xfe;
    String text =
        (wide ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8)
            .newDecoder()
            .decode(ByteBuffer.wrap(body))
            .toString();
    return text.startsWith("\ufeff") ? text.substring(1) : text;
  }

  private static WebDavXml document(XMLStreamReader reader)
      throws XMLStreamException, FerryException {
    List<Open> open = new ArrayList<>(List.of(new Open(new QName("document"))));
    int elements = 0;
    while (reader.hasNext()) {
      Open top = open.get(open.size() - 1);
      switch (reader.next()) {
        case XMLStreamConstants.START_ELEMENT -> {
          if (++elements > MAX_ELEMENTS || open.size() > MAX_DEPTH) {
            throw refused("has too many elements, %d in %d levels are read", MAX_ELEMENTS);
          }
          requireNamespaces(reader);
          String namespace = reader.getNamespaceURI();
          if (namespace != null && namespace.length() > MAX_NAMESPACE) {
            // A response repeats it for each element.
            throw refused("has a namespace of over %d characters", MAX_NAMESPACE);
          }
          open.add(new Open(reader.getName()));
        }
        case XMLStreamConstants.END_ELEMENT -> {
          open.remove(open.size() - 1);
          open.get(open.size() - 1).elements.add(top.closed());
        }
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> top.add(reader.getText());
        case XMLStreamConstants.DTD, XMLStreamConstants.ENTITY_REFERENCE ->
            throw refused("has an entity, which is not read", 0);
        default -> {}
      }
    }
    return open.get(0).elements.get(0);
  }

  private static FerryException refused(String why, int most) {
    return new FerryException(
        ErrorKind.INVALID_REQUEST, "the XML of the body " + why.formatted(most, MAX_DEPTH));
  }

  /** A prefix cannot be bound to no namespace (Namespaces in XML 1.0, 5). */
  private static void requireNamespaces(XMLStreamReader reader) throws XMLStreamException {
    for (int i = 0; i < reader.getNamespaceCount(); i++) {
      String uri = reader.getNamespaceURI(i);
      if (reader.getNamespacePrefix(i) != null && (uri == null || uri.isEmpty())) {
        throw new XMLStreamException("an empty namespace");
      }
    }
  }

  private static final class Open {
    private final QName name;
    private final StringBuilder text = new StringBuilder();
    private final List<WebDavXml> elements = new ArrayList<>();

    Open(QName name) {
      this.name = name;
    }

    void add(String more) {
      text.append(more);
    }

    WebDavXml closed() {
      return new WebDavXml(name, text.toString().strip(), List.copyOf(elements));
    }
  }

  /** Returns whether this is an element of WebDAV. */
  boolean is(String local) {
    return name.getNamespaceURI().equals(DAV) && name.getLocalPart().equals(local);
  }

  /** Returns the first element of WebDAV of this name in this one; null if there is none. */
  @Nullable WebDavXml first(String local) {
    return elements.stream().filter(element -> element.is(local)).findFirst().orElse(null);
  }
}
