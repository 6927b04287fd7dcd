package dev.ferry.http.internal.http1;

import dev.ferry.core.Change;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.http.internal.OutgoingRequest;
import dev.ferry.wire.internal.contract.HttpRoutes;
import java.util.LinkedHashMap;
import java.util.Map;

/** Creates the requests that change names in the store. */
final class NameRequests {
  private NameRequests() {}

  static OutgoingRequest of(Change change) throws FerryException {
    if (change instanceof Change.Delete delete) {
      String version = delete.version();
      return request(
          "DELETE", change, version == null ? Map.of() : Map.of("If-Match", '"' + version + '"'));
    }
    if (change instanceof Change.Move move) {
      String target = HttpRoutes.uriPath(StorePath.parse(move.target().value()));
      return request(
          "MOVE",
          change,
          Map.of(HttpRoutes.DESTINATION, target, HttpRoutes.OVERWRITE, flag(move.replace())));
    }
    if (change instanceof Change.MakeLink link) {
      String target = HttpRoutes.linkField(link.target());
      return request(
          "PUT",
          change,
          Map.of(HttpRoutes.LINK, target, HttpRoutes.OVERWRITE, flag(link.replace())));
    }
    Change.MakeDirectory made = (Change.MakeDirectory) change;
    Map<String, String> fields = new LinkedHashMap<>();
    if (made.parents()) {
      fields.put(HttpRoutes.MAKE_PARENTS, HttpRoutes.YES);
    }
    Integer mode = made.mode();
    if (mode != null) {
      fields.put(HttpRoutes.MODE, HttpRoutes.modeField(mode));
    }
    return request("MKCOL", change, fields);
  }

  private static String flag(boolean replace) {
    return replace ? "T" : "F";
  }

  private static OutgoingRequest request(String method, Change change, Map<String, String> fields) {
    return new OutgoingRequest(method, HttpRoutes.uriPath(change.path()), fields);
  }
}
