package dev.ferry.http.internal.server;

import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.http.internal.MadeBody;
import dev.ferry.wire.internal.contract.BasePath;
import java.util.List;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a file, or of a directory and its entries. Entries that are neither files nor
 * directories that can be transferred are not.
 */
final class PropertyBody extends MadeBody {
  private final FileStore store;
  private final WebDavLocks locks;
  private final BasePath base;
  private final Wanted wanted;
  private final @Nullable Listing listing;
  private final MultiStatus xml = new MultiStatus().begin();
  private @Nullable FileFacts next;

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
   * @param base the path below which clients know the server
   * @param facts of the file or directory itself
   * @param listing the entries; the body closes it; null for none
   */
  PropertyBody(
      FileStore store,
      WebDavLocks locks,
      BasePath base,
      Wanted wanted,
      FileFacts facts,
      @Nullable Listing listing) {
    this.store = store;
    this.locks = locks;
    this.base = base;
    this.wanted = wanted;
    this.next = facts;
    this.listing = listing;
  }

  @Override
  protected boolean writeNext() throws FerryException {
    if (next != null) {
      write(next);
    }
    do {
      next = listing == null ? null : listing.next();
    } while (next != null && next.leftOut() != null);
    if (next == null) {
      xml.end();
    }
    out.writeBytes(xml.bytes());
    return next == null;
  }

  private void write(FileFacts facts) throws FerryException {
    xml.xml("<D:response>").href(base, new StorePath(facts.name()), facts.directory());
    MultiStatus found = new MultiStatus();
    MultiStatus missing = new MultiStatus();
    boolean all = wanted.names().isEmpty();
    for (QName name : all ? LiveProperty.ALL : wanted.names()) {
      LiveProperty property = LiveProperty.of(name);
      String value = property == null ? null : property.value(facts, store, locks, base);
      if (value != null) {
        found.element(name, wanted.values() ? value : "");
      } else if (!all) {
        missing.element(name, "");
      }
    }
    xml.propstat(found, 200, null);
    if (!missing.isEmpty()) {
      xml.propstat(missing, 404, null);
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
