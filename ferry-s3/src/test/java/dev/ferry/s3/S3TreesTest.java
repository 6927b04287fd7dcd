package dev.ferry.s3;

import dev.ferry.cli.Servers;
import dev.ferry.cli.tree.GeneratedTreesContract;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.Round;
import dev.ferry.core.internal.LocalNames;
import dev.ferry.s3.store.ProxyStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Trees of a server whose store is a bucket. */
final class S3TreesTest extends GeneratedTreesContract {
  private static final long MEMORY = 64L << 20;
  private static final String FOLDER = "tree/";

  @SuppressWarnings("NullAway.Init")
  private ProxyStore proxy;

  @SuppressWarnings("NullAway.Init")
  private S3Client client;

  @BeforeEach
  void start() throws Exception {
    proxy = ProxyStore.start();
    client = proxy.bucket().client(0);
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    proxy.close();
  }

  @Override
  protected int samples() {
    return Round.times(8, 25);
  }

  @Override
  protected Servers servers(Path root) throws Exception {
    return Servers.start(
        S3FileStore.open(
            proxy.bucket().client(0), proxy.bucket().settings(0, ""), MEMORY, ReceiveLimits.STORE));
  }

  private List<S3Object> objects() {
    return client
        .listObjectsV2(
            r -> r.bucket(proxy.bucket().name()).prefix(FOLDER).encodingType(EncodingType.URL))
        .contents();
  }

  @Override
  protected void give(Path root) throws Exception {
    for (S3Object object : objects()) {
      client.deleteObject(r -> r.bucket(proxy.bucket().name()).key(object.key()));
    }
    give(root.resolve("tree"), FOLDER);
  }

  private void give(Path folder, String key) throws IOException {
    put(key, "");
    List<Path> entries;
    try (Stream<Path> listed = Files.list(folder)) {
      entries = listed.toList();
    }
    for (Path path : entries) {
      String name = LocalNames.text(LocalNames.bytes(path));
      if (name != null && Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
        give(path, key + name + "/");
      } else if (name != null && Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        put(key + name, Files.readString(path));
      } else {
        delete(path);
      }
    }
  }

  private void put(String key, String content) {
    client.putObject(
        r -> r.bucket(proxy.bucket().name()).key(key), RequestBody.fromString(content));
  }

  @Override
  protected void take(Path root) throws Exception {
    delete(root.resolve("tree"));
    for (S3Object object : objects()) {
      Path path = root.resolve(object.key());
      if (object.key().endsWith("/")) {
        Files.createDirectories(path);
      } else {
        Files.createDirectories(root.resolve(object.key()).getParent());
        Files.write(
            path,
            client
                .getObjectAsBytes(r -> r.bucket(proxy.bucket().name()).key(object.key()))
                .asByteArray());
      }
    }
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> all = Files.walk(tree)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
