package dev.ferry.cli.output;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ferry.core.Digest;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileFacts.LeftOut;
import java.util.Locale;

/** Creates the objects that {@code --json} prints. Their schemas are in {@code docs/json}. */
public final class JsonLines {
  private JsonLines() {}

  public static ObjectNode object() {
    return new ObjectNode(JsonNodeFactory.instance);
  }

  /** A file or folder, as {@code ls} and {@code stat} print it. */
  public static ObjectNode facts(FileFacts facts) {
    ObjectNode object =
        object()
            .put("path", facts.name())
            .put("type", facts.directory() ? "folder" : facts.isFile() ? "file" : "other");
    LeftOut leftOut = facts.leftOut();
    if (leftOut != null) {
      object.put("leftOut", leftOut.name().toLowerCase(Locale.ROOT));
    }
    if (!facts.lastModified().equals(FileFacts.UNKNOWN_TIME)) {
      object.put("modified", facts.lastModified().toString());
    }
    if (facts.link() != null) {
      object.put("link", facts.link());
    }
    if (facts.isFile()) {
      object.put("bytes", facts.size());
      if (facts.executable() != null) {
        object.put("executable", facts.executable());
      }
      addDigests(object, facts);
    }
    return object;
  }

  /** Adds the digests that are known, each by the name of its algorithm. */
  public static void addDigests(ObjectNode object, FileFacts facts) {
    for (Digest digest : facts.digests()) {
      object.put(digest.algorithm().id(), digest.toString());
    }
  }

  /** A change on the server, for instance {@code {"action": "deleted", "path": "a.csv"}}. */
  public static ObjectNode change(String action, String path) {
    return object().put("action", action).put("path", path);
  }
}
