package dev.ferry.http.internal;

import dev.ferry.contract.HttpRoutes;
import dev.ferry.core.StorePath;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates the requests that change names in the store. */
final class NameRequests {
  private NameRequests() {}

  /**
   * @param version the version that the file must have; null means any
   */
  static OutgoingRequest delete(StorePath path, @Nullable String version) {
    return request(
        "DELETE", path, version == null ? Map.of() : Map.of("If-Match", '"' + version + '"'));
  }

  static OutgoingRequest move(StorePath source, StorePath target, boolean replace) {
    return request(
        "MOVE",
        source,
        Map.of(
            HttpRoutes.DESTINATION,
            HttpRoutes.uriPath(target),
            HttpRoutes.OVERWRITE,
            replace ? "T" : "F"));
  }

  static OutgoingRequest makeDirectory(StorePath path, boolean parents) {
    return request(
        "MKCOL", path, parents ? Map.of(HttpRoutes.MAKE_PARENTS, HttpRoutes.YES) : Map.of());
  }

  static OutgoingRequest makeLink(StorePath path, String target, boolean replace) {
    return request(
        "PUT",
        path,
        Map.of(
            HttpRoutes.LINK,
            HttpRoutes.linkField(target),
            HttpRoutes.OVERWRITE,
            replace ? "T" : "F"));
  }

  private static OutgoingRequest request(
      String method, StorePath path, Map<String, String> fields) {
    return new OutgoingRequest(method, HttpRoutes.uriPath(path), fields);
  }
}
