package dev.ferry.http.internal.server;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.http.internal.OutgoingBody;
import java.nio.ByteBuffer;
import java.util.List;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a file, or of a directory and its entries. Each entry is written when there is
 * space for it. Entries that are neither files nor directories that can be transferred are not.
 */
final class PropertyBody implements OutgoingBody {
  private final FileStore store;
  private final WebDavLocks locks;
  private final Wanted wanted;
  private final @Nullable Listing listing;
  private final MultiStatus xml = new MultiStatus().begin();
  private ByteBuffer waiting = ByteBuffer.allocate(0);
  private @Nullable FileFacts next;
  private boolean ended;

  /**
   * Which properties are wanted.
   *
   * @param names those that are asked for; empty for all
   * @param values whether their values are wanted, too
   */
  record Wanted(List<QName> names, boolean values) {
    /** Returns what a body asks for; null if it is no {@code propfind}. */
    static @Nullable Wanted of(@Nullable WebDavXml body) {
      if (body == null) {
        return new Wanted(List.of(), true);
      }
      WebDavXml names = body.first("prop");
      if (!body.is("propfind")) {
        return null;
      }
      if (names != null && !names.elements().isEmpty()) {
        return new Wanted(names.elements().stream().map(WebDavXml::name).distinct().toList(), true);
      }
      boolean all = body.first("allprop") != null || names != null;
      return all || body.first("propname") != null ? new Wanted(List.of(), all) : null;
    }
  }

  /**
   * @param facts of the file or directory itself
   * @param listing the entries; the body closes it; null for none
   */
  PropertyBody(
      FileStore store,
      WebDavLocks locks,
      Wanted wanted,
      FileFacts facts,
      @Nullable Listing listing) {
    this.store = store;
    this.locks = locks;
    this.wanted = wanted;
    this.next = facts;
    this.listing = listing;
  }

  @Override
  public boolean fill(ByteBuffer buffer) throws FerryException {
    while (buffer.hasRemaining() && (waiting.hasRemaining() || !ended)) {
      if (!waiting.hasRemaining()) {
        writeNext();
        waiting = ByteBuffer.wrap(xml.bytes());
      }
      int bytes = Math.min(buffer.remaining(), waiting.remaining());
      buffer.put(waiting.slice(waiting.position(), bytes));
      waiting.position(waiting.position() + bytes);
    }
    return ended && !waiting.hasRemaining();
  }

  private void writeNext() throws FerryException {
    if (next != null) {
      write(next);
    }
    do {
      next = listing == null ? null : listing.next();
    } while (next != null && next.leftOut() != null);
    if (next == null) {
      ended = true;
      xml.end();
    }
  }

  private void write(FileFacts facts) throws FerryException {
    xml.xml("<D:response>").href(new StorePath(facts.name()), facts.directory());
    MultiStatus missing = new MultiStatus();
    xml.xml("<D:propstat><D:prop>");
    if (wanted.names().isEmpty()) {
      for (LiveProperty property : LiveProperty.ALL) {
        String value = property.value(facts, store, locks);
        if (value != null) {
          xml.element(property.qName(), wanted.values() ? value : "");
        }
      }
    }
    for (QName name : wanted.names()) {
      LiveProperty property = LiveProperty.of(name);
      String value = property == null ? null : property.value(facts, store, locks);
      if (value == null) {
        missing.element(name, "");
      } else {
        xml.element(name, value);
      }
    }
    xml.xml("</D:prop>").status(200, null).xml("</D:propstat>");
    if (!missing.isEmpty()) {
      xml.xml("<D:propstat><D:prop>")
          .xml(missing.toString())
          .xml("</D:prop>")
          .status(404, null)
          .xml("</D:propstat>");
    }
    xml.xml("</D:response>");
  }

  @Override
  public void close() {
    if (listing != null) {
      listing.close();
    }
  }
}
