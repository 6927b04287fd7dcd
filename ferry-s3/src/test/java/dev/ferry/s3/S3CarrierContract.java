package dev.ferry.s3;

import dev.ferry.core.Carrier;
import dev.ferry.core.CarrierContract;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FileStore;
import dev.ferry.core.RemoteStore;
import dev.ferry.core.Round;
import dev.ferry.core.StoredFiles;
import dev.ferry.s3.store.TestBucket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInfo;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The carrier contract over a store in a bucket. Each test runs in one of the ways to reach its
 * files; the modules of the carriers have all ways over the local store. No server calls the store
 * on an event loop.
 *
 * <p>S3 cannot promise all of it: a file that is replaced while it is read fails as changed, and is
 * not read to its end. The tests that damage or forbid writes to a disk, make symbolic links or
 * leave temporary files in folders need a local disk and are skipped.
 */
abstract class S3CarrierContract extends CarrierContract {
  private final Round<Way> round;

  @SuppressWarnings("NullAway.Init") // Chosen before each test.
  private Way way;

  @SuppressWarnings("NullAway.Init")
  private TestBucket bucket;

  @SuppressWarnings("NullAway.Init")
  private S3Client client;

  private int prefixes;

  /** Those of all servers that were started. */
  private final List<RemoteStore> served = new ArrayList<>();

  /**
   * @param shift changes the way of each test: object stores with other numbers have other ways
   */
  S3CarrierContract(int shift) {
    List<Way> ways = new ArrayList<>(List.of(Way.values()));
    Collections.rotate(ways, shift);
    round = Round.one(ways);
  }

  /** Starts an object store and returns a bucket without objects. */
  abstract TestBucket bucket() throws Exception;

  @BeforeAll
  void start() throws Exception {
    bucket = bucket();
    client = bucket.client(0);
  }

  @AfterAll
  void stop() {
    client.close();
  }

  @Override
  protected Object configure(TestInfo test) {
    way = round.configuration(test);
    return way;
  }

  @Override
  protected StoredFiles files(Path root) {
    prefixes++;
    return new S3Files(bucket, client, "test " + prefixes + "/");
  }

  @Override
  protected Fixture open(FileStore store) throws Exception {
    Way.Server server = way.serve(store);
    served.add(server.store());
    Carrier carrier = way.connect(server.port().port());
    return new Fixture() {
      @Override
      public Carrier carrier() {
        return carrier;
      }

      @Override
      public void killServer() {
        server.kill();
      }

      @Override
      public void close() {
        carrier.close();
        server.close();
      }
    };
  }

  @AfterEach
  void noEventLoopWaits() throws Exception {
    for (RemoteStore store : served) {
      store.awaitNothingOpen();
      store.assertSpared();
    }
  }

  @Override
  protected List<ErrorKind> fileChangedKinds() {
    return way.fileChangedKinds();
  }
}
