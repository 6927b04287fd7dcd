package dev.ferry.s3;

import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The place of a store in an S3 object store.
 *
 * @param endpoint {@code http://} or {@code https://} with a host; null means AWS itself
 * @param region null means what the environment of the process or its AWS profile says
 * @param pathStyle whether the bucket is in the path of requests, and not in their host name
 * @param bucket the name of an existing bucket
 * @param prefix what all keys of the store begin with: empty, or ends with {@code /}
 */
public record S3Settings(
    @Nullable URI endpoint,
    @Nullable String region,
    boolean pathStyle,
    String bucket,
    String prefix) {
  /** What an address of such a store begins with. */
  public static final String SCHEME = "s3://";

  private static final String FORM = "give s3://BUCKET or s3://BUCKET/PREFIX";

  /** Names of AWS, and those with capital letters or underscores that others allow. */
  private static final Pattern BUCKET = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{2,254}");

  /**
   * Parses the address of a store.
   *
   * @param address for instance {@code s3://bucket} or {@code s3://bucket/a/b}; the text after the
   *     bucket is taken as it stands, without decoding
   * @param endpoint null for AWS
   * @param region null for that of the environment
   * @throws IllegalArgumentException with one line that quotes the wrong text and says what is
   *     right
   */
  public static S3Settings parse(
      String address, @Nullable String endpoint, @Nullable String region, boolean pathStyle) {
    if (!address.startsWith(SCHEME)) {
      throw new IllegalArgumentException("'" + address + "' does not begin with s3://; " + FORM);
    }
    String place = address.substring(SCHEME.length());
    int slash = place.indexOf('/');
    String bucket = slash < 0 ? place : place.substring(0, slash);
    if (!BUCKET.matcher(bucket).matches()) {
      throw new IllegalArgumentException(
          "'%s': '%s' is not a bucket name, which has three or more letters, digits, '.', '-'; %s"
              .formatted(address, bucket, FORM));
    }
    if (region != null && region.isBlank()) {
      throw new IllegalArgumentException("the region is empty; give one, for instance us-east-1");
    }
    return new S3Settings(
        endpoint == null ? null : endpoint(endpoint),
        region,
        pathStyle,
        bucket,
        prefix(address, slash < 0 ? "" : place.substring(slash + 1)));
  }

  private static String prefix(String address, String text) {
    String prefix = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    if (prefix.isEmpty() && text.isEmpty()) {
      return "";
    }
    try {
      return StorePath.parse(prefix) + "/";
    } catch (FerryException e) {
      throw new IllegalArgumentException("'" + address + "': " + e.getMessage() + "; " + FORM, e);
    }
  }

  private static URI endpoint(String text) {
    try {
      URI uri = new URI(text);
      boolean plain = uri.getRawQuery() == null && uri.getRawUserInfo() == null;
      if (uri.getHost() != null
          && plain
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && (uri.getPath().isEmpty() || uri.getPath().equals("/"))) {
        return uri;
      }
    } catch (URISyntaxException e) {
      throw wrongEndpoint(text, e);
    }
    throw wrongEndpoint(text, null);
  }

  private static IllegalArgumentException wrongEndpoint(String text, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "'" + text + "' is not an endpoint; give http://HOST:PORT or https://HOST:PORT", cause);
  }

  /** Returns the address of the store, as {@link #parse} reads it. */
  public String address() {
    return SCHEME
        + bucket
        + (prefix.isEmpty() ? "" : "/" + prefix.substring(0, prefix.length() - 1));
  }
}
