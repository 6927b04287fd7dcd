package dev.ferry.s3;

import dev.ferry.core.ByteSize;
import dev.ferry.core.FerryException;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.internal.Library;
import dev.ferry.core.remote.RemoteStore;
import dev.ferry.core.remote.StoreProvider;
import dev.ferry.s3.internal.S3Clients;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Opens stores whose address is {@code s3://BUCKET/PREFIX}.
 *
 * <p>The options are {@code endpoint} and {@code region}, as in {@link S3Settings}, {@code
 * path-style}, which is {@code true} or {@code false}, and {@code memory}, a {@link ByteSize} of
 * direct memory for all transfers together: by default half of what the JVM may have.
 */
public final class S3StoreProvider implements StoreProvider {
  /** Several requests for each of some hundred transfers. */
  private static final int CONNECTIONS = 256;

  /** What two transfers of large files need. */
  private static final long LEAST_MEMORY = 128L << 20;

  /** More than this, the network to the object store seldom fills. */
  private static final long USUAL_MEMORY = 512L << 20;

  /** The rest is for what waits in the connections of clients. */
  private static final int PART_OF_JVM = 3;

  @Override
  public String scheme() {
    return "s3";
  }

  @Override
  public RemoteStore open(String address, Map<String, String> options, ReceiveLimits limits)
      throws FerryException {
    try {
      return opened(address, options, limits);
    } catch (LinkageError e) {
      throw Library.failure(e);
    }
  }

  private static RemoteStore opened(
      String address, Map<String, String> options, ReceiveLimits limits) throws FerryException {
    S3Settings settings =
        S3Settings.parse(
            address,
            options.get("endpoint"),
            options.get("region"),
            Boolean.parseBoolean(options.get("path-style")));
    long memory = memory(options.get("memory"));
    S3Client client = S3Clients.open(settings, CONNECTIONS);
    try {
      return S3FileStore.open(client, settings, memory, limits);
    } catch (FerryException | RuntimeException | Error e) {
      client.close();
      throw e;
    }
  }

  private static long memory(@Nullable String text) {
    if (text == null) {
      return Math.max(
          LEAST_MEMORY, Math.min(USUAL_MEMORY, Runtime.getRuntime().maxMemory() / PART_OF_JVM));
    }
    long memory = ByteSize.parse(text);
    if (memory < LEAST_MEMORY) {
      throw new IllegalArgumentException(
          "'%s' of memory is too little for two transfers; give %s or more"
              .formatted(text, ByteSize.shortest(LEAST_MEMORY)));
    }
    return memory;
  }
}
