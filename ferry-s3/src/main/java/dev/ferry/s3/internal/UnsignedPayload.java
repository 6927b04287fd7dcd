package dev.ferry.s3.internal;

import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.scheme.AwsV4AuthScheme;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignRequest;
import software.amazon.awssdk.http.auth.spi.signer.AsyncSignedRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignRequest;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;
import software.amazon.awssdk.identity.spi.IdentityProviders;

/**
 * Signs requests over plain HTTP as the SDK signs those over TLS: without the SHA-256 of the body.
 * It costs a quarter of the time of an upload, and a network that may change the body reads it as
 * well.
 */
final class UnsignedPayload implements AwsV4AuthScheme {
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private final AwsV4AuthScheme scheme = AwsV4AuthScheme.create();
  private final AwsV4HttpSigner signer = new Signer(scheme.signer());

  @Override
  public String schemeId() {
    return scheme.schemeId();
  }

  @Override
  public IdentityProvider<AwsCredentialsIdentity> identityProvider(IdentityProviders providers) {
    return scheme.identityProvider(providers);
  }

  @Override
  public AwsV4HttpSigner signer() {
    return signer;
  }

  private record Signer(AwsV4HttpSigner signer) implements AwsV4HttpSigner {
    @Override
    public SignedRequest sign(SignRequest<? extends AwsCredentialsIdentity> request) {
      return signAsOverTls(request);
    }

    private <T extends AwsCredentialsIdentity> SignedRequest signAsOverTls(SignRequest<T> request) {
      SdkHttpRequest plain = request.request();
      // The default port is not part of the signature.
      SdkHttpRequest encrypted =
          plain.toBuilder()
              .protocol("https")
              .port(plain.port() == HTTP_PORT ? HTTPS_PORT : plain.port())
              .build();
      SignedRequest signed = signer.sign(request.toBuilder().request(encrypted).build());
      return signed.toBuilder()
          .request(
              signed.request().toBuilder().protocol(plain.protocol()).port(plain.port()).build())
          .build();
    }

    @Override
    public CompletableFuture<AsyncSignedRequest> signAsync(
        AsyncSignRequest<? extends AwsCredentialsIdentity> request) {
      return signer.signAsync(request);
    }
  }
}
