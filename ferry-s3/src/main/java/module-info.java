import dev.ferry.core.remote.StoreProvider;
import dev.ferry.s3.S3StoreProvider;

/** A store of files in S3 or another object store. */
module dev.ferry.s3 {
  requires transitive dev.ferry.core;
  requires org.slf4j;
  requires software.amazon.awssdk.auth;
  requires software.amazon.awssdk.awscore;
  requires software.amazon.awssdk.core;
  requires software.amazon.awssdk.http;
  requires software.amazon.awssdk.http.apache5;
  requires software.amazon.awssdk.http.auth.aws;
  requires software.amazon.awssdk.http.auth.spi;
  requires software.amazon.awssdk.identity.spi;
  requires software.amazon.awssdk.regions;
  requires software.amazon.awssdk.retries;
  requires software.amazon.awssdk.retries.api;
  requires software.amazon.awssdk.services.s3;
  requires software.amazon.awssdk.utils;

  exports dev.ferry.s3;

  provides StoreProvider with
      S3StoreProvider;
}
