package dev.ferry.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ferry.core.Background;
import dev.ferry.core.Carrier;
import dev.ferry.core.Carriers;
import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileStore;
import dev.ferry.core.ReceiveLimits;
import dev.ferry.core.Retries;
import dev.ferry.core.StorePath;
import dev.ferry.core.TcpProxy;
import dev.ferry.core.TestFiles;
import dev.ferry.core.Transfer;
import dev.ferry.core.TransferOptions;
import dev.ferry.core.internal.ForwardingSink;
import dev.ferry.core.internal.ForwardingStore;
import dev.ferry.core.local.Upload;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadIds;
import dev.ferry.s3.store.TestBucket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * Uploads that go on at another server of the same store, after the client has lost the one where
 * they began. No part is sent twice.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
abstract class OtherServerContract {
  private static final int BYTES = 3 * PartSizes.USUAL + 1000;

  /** When the first server is lost: in the middle of the third part. */
  private static final int CUT = 5 * PartSizes.USUAL / 2;

  /** Headers, acknowledgements and frames of the requests. */
  private static final int OVERHEAD = 1 << 20;

  @SuppressWarnings("NullAway.Init")
  private TestBucket bucket;

  private int prefixes;

  /** Starts an object store and returns a bucket without objects. */
  abstract TestBucket bucket() throws Exception;

  @BeforeAll
  void start() throws Exception {
    bucket = bucket();
  }

  @ParameterizedTest
  @EnumSource
  void upload_whoseServerIsLost_goesOnAtAnother(Way way, @TempDir Path folder) throws Exception {
    AtomicReference<@Nullable UploadId> id = new AtomicReference<>();
    Path file = TestFiles.write(folder.resolve("file"), TestFiles.incompressible(BYTES, 1));
    prefixes++;
    try (S3Client client = bucket.client(0);
        S3Files files = new S3Files(bucket, client, "upload " + prefixes + "/")) {
      Way.Server first = way.serve(new KilledStore(files.open(0, ReceiveLimits.STORE)));
      S3FileStore store = files.open(1, ReceiveLimits.STORE);
      Way.Server second = way.serve(store);
      try (TcpProxy proxy = new TcpProxy(first.port().port())) {
        proxy.holdAfter(CUT);
        Background<Transfer> upload = Background.start(() -> upload(way, proxy.port(), file, id));
        proxy.awaitHeld();
        while (files.parts().size() < CUT / PartSizes.USUAL) {
          Thread.sleep(5);
        }
        first.kill();
        long before = proxy.requestedBytes();
        proxy.forwardTo(second.port().port());
        proxy.release();
        Transfer transfer = upload.result();

        assertThat(transfer.facts().crc32c()).isEqualTo(Digest.Algorithm.CRC32C.ofFile(file));
        long rest = BYTES - CUT / PartSizes.USUAL * PartSizes.USUAL;
        assertThat(proxy.requestedBytes() - before).isBetween(rest - OVERHEAD, rest + OVERHEAD);
        assertThat(files.read("file")).isEqualTo(TestFiles.incompressible(BYTES, 1));
        store.cancelUpload(Objects.requireNonNull(id.get()));
      } finally {
        second.close();
      }
      first.store().assertSpared();
      second.store().assertSpared();
    }
  }

  /**
   * @param id receives the id of the upload
   */
  private static Transfer upload(
      Way way, int port, Path file, AtomicReference<@Nullable UploadId> id) throws Exception {
    TransferOptions options = TransferOptions.DEFAULT;
    try (Carrier carrier = way.connect(port)) {
      return Objects.requireNonNull(
          Upload.run(
              Carriers.of(carrier, () -> way.connect(port)),
              file,
              StorePath.parse("file"),
              options,
              Retries.of(3, Duration.ZERO),
              anybody -> options.create(),
              ids(id)));
    }
  }

  private static UploadIds ids(AtomicReference<@Nullable UploadId> id) {
    return new UploadIds() {
      @Override
      public @Nullable UploadId remembered(FileFacts local) {
        return null;
      }

      @Override
      public UploadId create(FileFacts local) {
        UploadId created = UploadIds.RANDOM.create(local);
        id.set(created);
        return created;
      }

      @Override
      public void forget() {}
    };
  }

  /** The store of a process that is killed: it does not clean up what it received. */
  private static final class KilledStore extends ForwardingStore {
    KilledStore(FileStore store) {
      super(store);
    }

    @Override
    public FileSink create(StorePath path, CreateOptions options) throws FerryException {
      return new ForwardingSink(super.create(path, options)) {
        @Override
        public void close() {}
      };
    }
  }
}
