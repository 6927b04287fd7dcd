package dev.ferry.http.internal.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import dev.ferry.core.Listing;
import dev.ferry.core.Sha256;
import dev.ferry.http.internal.MadeBody;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.io.IOException;

/** The entries of a directory as a JSON array, each on a line of its own. */
final class ListBody extends MadeBody {
  private static final JsonFactory JSON = new JsonFactory();

  private final Listing listing;
  private final JsonGenerator json;
  private boolean first = true;

  /**
   * Starts an array.
   *
   * @param listing the entries; the body closes it
   */
  ListBody(Listing listing) {
    this.listing = listing;
    try {
      json = JSON.createGenerator(out);
      json.writeStartArray();
    } catch (IOException e) {
      throw inMemory(e);
    }
  }

  private static IllegalStateException inMemory(IOException e) {
    return new IllegalStateException("memory takes whatever is written to it", e);
  }

  @Override
  protected boolean writeNext() throws FerryException {
    FileFacts entry = listing.next();
    try {
      if (entry == null) {
        json.writeEndArray();
      } else {
        if (!first) {
          json.writeRaw('\n');
        }
        first = false;
        write(entry);
      }
      json.flush();
      return entry == null;
    } catch (IOException e) {
      throw inMemory(e);
    }
  }

  private void write(FileFacts entry) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", entry.name());
    json.writeNumberField("size", entry.size());
    if (!entry.lastModified().equals(FileFacts.UNKNOWN_TIME)) {
      json.writeStringField("lastModified", HttpRoutes.timeField(entry.lastModified()));
    }
    json.writeBooleanField("directory", entry.directory());
    Integer mode = entry.mode();
    if (mode != null) {
      json.writeStringField("mode", HttpRoutes.modeField(mode));
    }
    Sha256 digest = entry.sha256();
    if (digest != null) {
      json.writeStringField("sha256", digest.toHex());
    }
    if (entry.link() != null) {
      json.writeStringField("link", entry.link());
    }
    LeftOut leftOut = entry.leftOut();
    if (leftOut != null) {
      json.writeStringField("leftOut", HttpRoutes.leftOut(leftOut));
    }
    json.writeEndObject();
  }

  @Override
  public void close() {
    listing.close();
  }
}
