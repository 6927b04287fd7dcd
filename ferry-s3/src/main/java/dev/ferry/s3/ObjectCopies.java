package dev.ferry.s3;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.StorePath;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CopyObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.MetadataDirective;

/**
 * Moves files, which takes a copy inside the object store and a deletion.
 *
 * @param mostAtOnce bytes that one request copies at most
 */
record ObjectCopies(Bucket bucket, NewName names, long mostAtOnce) {
  /** What S3 copies at most with one request. */
  static final long MOST_AT_ONCE = 5L << 30;

  private static final long PART_BYTES = 1L << 30;

  /** What an object has beside its metadata, and what a copy with other metadata drops. */
  private static final List<String> FIELDS =
      List.of(
          "Cache-Control",
          "Content-Disposition",
          "Content-Encoding",
          "Content-Language",
          "Content-Type",
          "Expires",
          "x-amz-storage-class",
          "x-amz-website-redirect-location");

  /**
   * Moves a file.
   *
   * @param replace whether it may replace a file
   */
  void moveFile(FileFacts file, StorePath source, StorePath target, boolean replace)
      throws FerryException {
    CreateOptions create = CreateOptions.DEFAULT.withCreateOnly(!replace);
    String from = bucket.key(source);
    names.copy(target, create, (none, match) -> copyFile(file, source, target, none));
    HeadObjectResponse head = bucket.head(from, source.value());
    if (head != null && !Bucket.unquoted(head.eTag()).equals(file.version())) {
      throw new FerryException(
          ErrorKind.FILE_CHANGED,
          source + ": was replaced while it was moved; " + target + " has its former content");
    }
    bucket.delete(from, source.value());
  }

  private void copyFile(
      FileFacts file, StorePath source, StorePath target, @Nullable String ifNoneMatch)
      throws FerryException {
    String from = bucket.key(source);
    String to = bucket.key(target);
    try {
      copy(from, to, file.size(), file.version(), ifNoneMatch);
    } catch (SdkException e) {
      if (S3Failures.status(e) != S3Failures.NOT_FOUND && !NewName.isRefusal(e)) {
        throw e;
      }
      // It may be about the source as well as about the target.
      HeadObjectResponse now = bucket.head(from, source.value());
      if (now == null || !Bucket.unquoted(now.eTag()).equals(file.version())) {
        throw new FerryException(
            ErrorKind.FILE_CHANGED,
            source + ": was replaced or deleted while it was moved; try again",
            e);
      }
      HeadObjectResponse there = bucket.head(to, target.value());
      if (there == null) {
        throw NewName.busy(target);
      }
      // The response to the first attempt may have been lost.
      if (!ObjectFacts.isCopy(there, now)) {
        throw e;
      }
    }
  }

  /**
   * Moves all that is in a folder, and deletes it after all copies are there. What was replaced
   * meanwhile stays.
   */
  void moveFolder(StorePath source, StorePath target) throws FerryException {
    String from = bucket.folderKey(source);
    String to = bucket.folderKey(target);
    Map<String, String> moved = new HashMap<>();
    bucket.each(
        from,
        source.value(),
        object -> {
          String key = to + object.key().substring(from.length());
          Bucket.run(
              target.value(), () -> copy(object.key(), key, object.size(), object.eTag(), null));
          moved.put(object.key(), object.eTag());
        });
    List<String> unchanged = new ArrayList<>();
    bucket.each(
        from,
        source.value(),
        object -> {
          if (object.eTag().equals(moved.get(object.key()))) {
            unchanged.add(object.key());
          }
        });
    bucket.deleteAll(unchanged, source.value());
  }

  /** Gives an object another modification time, by a copy of it to itself. */
  void setLastModified(StorePath path, HeadObjectResponse head, Instant time)
      throws FerryException {
    if (head.contentLength() > mostAtOnce) {
      throw new FerryException(
          ErrorKind.INVALID_REQUEST,
          path + ": keeps its time, S3 changes that of no object above 5 GiB; store it again");
    }
    Map<String, String> metadata = new HashMap<>(head.metadata());
    ObjectFacts.setModified(metadata, time);
    String key = bucket.key(path);
    String version = Bucket.unquoted(head.eTag());
    names.copy(
        path,
        CreateOptions.DEFAULT.withReplaced(version),
        (none, match) ->
            copyAtOnce(
                key,
                version,
                key,
                r ->
                    // The copy takes a while, and another version may be written.
                    r.ifMatch(match)
                        .metadataDirective(MetadataDirective.REPLACE)
                        .metadata(metadata)
                        .overrideConfiguration(fields(head))));
  }

  /** Returns what gives a copy of an object its {@link #FIELDS}. */
  private static Consumer<AwsRequestOverrideConfiguration.Builder> fields(HeadObjectResponse head) {
    return request -> {
      for (String name : FIELDS) {
        head.sdkHttpResponse()
            .firstMatchingHeader(name)
            .ifPresent(value -> request.putHeader(name, value));
      }
    };
  }

  private void copy(
      String from, String to, long size, @Nullable String version, @Nullable String ifNoneMatch) {
    if (size <= mostAtOnce) {
      copyAtOnce(from, Bucket.unquoted(version), to, r -> r.ifNoneMatch(ifNoneMatch));
    } else {
      copyParts(from, to, size, Bucket.unquoted(version), ifNoneMatch);
    }
  }

  private void copyAtOnce(
      String from, String version, String to, Consumer<CopyObjectRequest.Builder> conditions) {
    var unused =
        bucket
            .client()
            .copyObject(
                r ->
                    r.sourceBucket(bucket.name())
                        .sourceKey(from)
                        .copySourceIfMatch(version)
                        .destinationBucket(bucket.name())
                        .destinationKey(to)
                        .applyMutation(conditions));
  }

  private void copyParts(
      String from, String to, long size, String version, @Nullable String ifNoneMatch) {
    S3Client client = bucket.client();
    // Of another version, no part can be copied.
    HeadObjectResponse head = client.headObject(r -> r.bucket(bucket.name()).key(from));
    String upload =
        client
            .createMultipartUpload(
                r ->
                    r.bucket(bucket.name())
                        .key(to)
                        .metadata(head.metadata())
                        .overrideConfiguration(fields(head)))
            .uploadId();
    try {
      List<CompletedPart> parts = new ArrayList<>();
      for (long at = 0; at < size; at += PART_BYTES) {
        int number = parts.size() + 1;
        String range = "bytes=" + at + "-" + (Math.min(size, at + PART_BYTES) - 1);
        String tag =
            client
                .uploadPartCopy(
                    r ->
                        r.sourceBucket(bucket.name())
                            .sourceKey(from)
                            .copySourceIfMatch(version)
                            .copySourceRange(range)
                            .destinationBucket(bucket.name())
                            .destinationKey(to)
                            .uploadId(upload)
                            .partNumber(number))
                .copyPartResult()
                .eTag();
        parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
      }
      String unused = bucket.completeParts(to, upload, parts, ifNoneMatch, null);
    } catch (RuntimeException e) {
      var unused =
          client.abortMultipartUpload(r -> r.bucket(bucket.name()).key(to).uploadId(upload));
      throw e;
    }
  }
}
