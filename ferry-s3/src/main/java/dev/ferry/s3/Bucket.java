package dev.ferry.s3;

import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.PlainText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.Part;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * The objects below a prefix of a bucket, by their keys. Every method sends one request, or one for
 * each page, and blocks until its response is there. Thread-safe.
 *
 * @param prefix empty, or ends with a slash
 */
record Bucket(S3Client client, String name, String prefix) {
  /** Entries of a page of a listing. */
  static final int PAGE = 1000;

  /** Bytes of a key at most. */
  static final int MOST_KEY_BYTES = 1024;

  /** What a request deletes at most. */
  private static final int MOST_DELETED = 1000;

  /** A percent sign that does not begin an encoded byte. */
  private static final Pattern NO_ENCODING = Pattern.compile("%(?![0-9a-fA-F]{2})");

  /** Sends a request. */
  static <T> T call(String label, Supplier<T> request) throws FerryException {
    try {
      return request.get();
    } catch (SdkException e) {
      throw S3Failures.of(e, label);
    }
  }

  /** Sends requests without a result. */
  static void run(String label, Runnable requests) throws FerryException {
    try {
      requests.run();
    } catch (SdkException e) {
      throw S3Failures.of(e, label);
    }
  }

  /**
   * Returns the key of a file.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_PATH} if there is none
   */
  String key(StorePath path) throws FerryException {
    return prefix + requireKey(path);
  }

  /**
   * Returns the key of a folder, which is the prefix of all that is in it.
   *
   * @throws FerryException with {@link ErrorKind#INVALID_PATH} if there is none
   */
  String folderKey(StorePath path) throws FerryException {
    return path.value().isEmpty() ? prefix : prefix + requireKey(path) + "/";
  }

  /**
   * Returns whether a path can be a key: its lists and errors are XML, which has fewer characters.
   */
  static boolean isKey(String path) {
    return path.chars().noneMatch(c -> c < ' ' || c == '\ufffe' || c == '\uffff');
  }

  private static String requireKey(StorePath path) throws FerryException {
    if (!isKey(path.value())) {
      throw new FerryException(
          ErrorKind.INVALID_PATH,
          "invalid path '"
              + PlainText.of(path.value())
              + "': an object store cannot keep control characters in a name");
    }
    return path.value();
  }

  /** Sends a request, and returns null if what it is for is not there. */
  private static <T> @Nullable T find(String label, Supplier<T> request) throws FerryException {
    try {
      return request.get();
    } catch (SdkException e) {
      if (S3Failures.status(e) == S3Failures.NOT_FOUND) {
        return null;
      }
      throw S3Failures.of(e, label);
    }
  }

  /** Returns the fields of an object; null if there is none. */
  @Nullable HeadObjectResponse head(String key, String label) throws FerryException {
    return find(label, () -> client.headObject(r -> r.bucket(name).key(key)));
  }

  /** Returns the content of a small object; null if there is none. */
  byte @Nullable [] get(String key, String label) throws FerryException {
    var content = find(label, () -> client.getObjectAsBytes(r -> r.bucket(name).key(key)));
    return content == null ? null : content.asByteArrayUnsafe();
  }

  /**
   * Puts an object.
   *
   * @param content its bytes, from position to limit, which do not change
   * @param request sets further fields
   * @return its entity tag, without quotes
   */
  String put(String key, ByteBuffer content, Consumer<PutObjectRequest.Builder> request) {
    PutObjectRequest.Builder builder = PutObjectRequest.builder().bucket(name).key(key);
    request.accept(builder);
    return unquoted(client.putObject(builder.build(), body(content)).eTag());
  }

  /** Puts a small object that nobody else writes. */
  void put(String key, byte[] content, String label) throws FerryException {
    String unused = call(label, () -> put(key, ByteBuffer.wrap(content), r -> {}));
  }

  /** Returns a request body of a buffer, which it does not copy. */
  static RequestBody body(ByteBuffer content) {
    return RequestBody.fromContentProvider(
        () -> new ByteBufferInputStream(content.duplicate()),
        content.remaining(),
        "application/octet-stream");
  }

  void delete(String key, String label) throws FerryException {
    var unused = call(label, () -> client.deleteObject(r -> r.bucket(name).key(key)));
  }

  /** Deletes objects, a thousand with each request. */
  void deleteAll(List<String> keys, String label) throws FerryException {
    for (int from = 0; from < keys.size(); from += MOST_DELETED) {
      List<ObjectIdentifier> some =
          keys.subList(from, Math.min(keys.size(), from + MOST_DELETED)).stream()
              .map(key -> ObjectIdentifier.builder().key(key).build())
              .toList();
      var response =
          call(
              label,
              () ->
                  client.deleteObjects(
                      r -> r.bucket(name).delete(d -> d.objects(some).quiet(true))));
      if (response.hasErrors() && !response.errors().isEmpty()) {
        throw new FerryException(
            ErrorKind.UNAVAILABLE,
            label + ": the object store did not delete all: " + response.errors().get(0).code());
      }
    }
  }

  /**
   * Returns a page of a listing.
   *
   * @param delimited whether keys with a further slash are summed up as a common prefix
   * @param token continues after an earlier page; null for the first
   */
  ListObjectsV2Response list(
      String below, boolean delimited, int most, @Nullable String token, String label)
      throws FerryException {
    return call(
        label,
        () ->
            client.listObjectsV2(
                r ->
                    r.bucket(name)
                        .prefix(below)
                        .delimiter(delimited ? "/" : null)
                        .maxKeys(most)
                        .encodingType(encoding(below))
                        .continuationToken(token)));
  }

  /**
   * Returns how a list is encoded. XML has no control characters, which keys of other programs may
   * have. The SDK then decodes the prefix of the response as well, which Ceph does not encode, and
   * fails if it cannot.
   */
  private static @Nullable EncodingType encoding(String prefix) {
    return NO_ENCODING.matcher(prefix).find() ? null : EncodingType.URL;
  }

  /** Returns whether there is an object whose key begins with a text. */
  boolean any(String below, String label) throws FerryException {
    return !list(below, false, 1, null, label).contents().isEmpty();
  }

  /** Passes on all objects whose keys begin with a text, in the order of their keys. */
  void each(String below, String label, Visitor visitor) throws FerryException {
    String token = null;
    do {
      ListObjectsV2Response page = list(below, false, PAGE, token, label);
      for (S3Object object : page.contents()) {
        visitor.visit(object);
      }
      token = page.nextContinuationToken();
    } while (token != null);
  }

  /** Receives objects. */
  @FunctionalInterface
  interface Visitor {
    void visit(S3Object object) throws FerryException;
  }

  /** Begins an upload in parts. */
  String beginParts(String key, Map<String, String> metadata, String label) throws FerryException {
    return call(
        label,
        () ->
            client
                .createMultipartUpload(r -> r.bucket(name).key(key).metadata(metadata))
                .uploadId());
  }

  /** Uploads a part and returns its entity tag. */
  String putPart(String key, String uploadId, int number, ByteBuffer content, String label)
      throws FerryException {
    return call(
        label,
        () ->
            client
                .uploadPart(
                    r -> r.bucket(name).key(key).uploadId(uploadId).partNumber(number),
                    body(content))
                .eTag());
  }

  /** Returns the parts that have arrived, by their numbers; null if the upload is not known. */
  @Nullable List<Part> parts(String key, String uploadId, String label) throws FerryException {
    List<Part> parts = new ArrayList<>();
    Integer marker = null;
    while (true) {
      Integer after = marker;
      var page =
          find(
              label,
              () ->
                  client.listParts(
                      r -> r.bucket(name).key(key).uploadId(uploadId).partNumberMarker(after)));
      if (page == null) {
        return null;
      }
      parts.addAll(page.parts());
      if (!Boolean.TRUE.equals(page.isTruncated())) {
        return parts;
      }
      marker = page.nextPartNumberMarker();
    }
  }

  /**
   * Makes the parts an object.
   *
   * @param ifNoneMatch {@code *} to fail if there is an object, where the store knows this; null
   *     for no condition
   * @param ifMatch the entity tag that the object must have, where the store knows this; null for
   *     no condition
   * @return its entity tag, without quotes
   */
  String completeParts(
      String key,
      String uploadId,
      List<CompletedPart> parts,
      @Nullable String ifNoneMatch,
      @Nullable String ifMatch) {
    return unquoted(
        client
            .completeMultipartUpload(
                r ->
                    r.bucket(name)
                        .key(key)
                        .uploadId(uploadId)
                        .ifNoneMatch(ifNoneMatch)
                        .ifMatch(ifMatch)
                        .multipartUpload(m -> m.parts(parts)))
            .eTag());
  }

  /** Discards an upload in parts. One that is not known is none. */
  void abortParts(String key, String uploadId, String label) throws FerryException {
    var unused =
        find(
            label,
            () -> client.abortMultipartUpload(r -> r.bucket(name).key(key).uploadId(uploadId)));
  }

  /** Some stores take entity tags in conditions only without quotes, and all take them so. */
  static String unquoted(@Nullable String tag) {
    return tag == null ? "" : tag.replace("\"", "");
  }
}
