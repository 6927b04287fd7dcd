package dev.ferry.net.internal;

import dev.ferry.core.CreateOptions;
import dev.ferry.core.Digest;
import dev.ferry.core.ErrorKind;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileSink;
import dev.ferry.core.FileSource;
import dev.ferry.core.FileStore;
import dev.ferry.core.Listing;
import dev.ferry.core.StorePath;
import dev.ferry.core.internal.ForwardingSink;
import dev.ferry.core.upload.KeptUpload;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadPart;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A store of which a caller may use as much as its {@link UploadQuotas} leave. An announced size is
 * refused before its first byte if it is too much now. Bytes are counted as they are written, and
 * files when they are complete. Of a file that is refused meanwhile, nothing is kept. Thread-safe.
 *
 * @param store what the caller may use
 */
record QuotaStore(FileStore store, UploadQuotas quotas) implements FileStore {
  @Override
  public FileFacts stat(StorePath path, boolean digest) throws FerryException {
    return store.stat(path, digest);
  }

  @Override
  public FileFacts stat(StorePath path, Digest.Algorithm algorithm) throws FerryException {
    return store.stat(path, algorithm);
  }

  @Override
  public boolean exists(StorePath path) throws FerryException {
    return store.exists(path);
  }

  @Override
  public Listing list(StorePath directory) throws FerryException {
    return store.list(directory);
  }

  @Override
  public FileSource open(StorePath path) throws FerryException {
    return store.open(path);
  }

  @Override
  public FileSink create(StorePath path, CreateOptions options) throws FerryException {
    quotas.requireFile();
    return new QuotaSink(store.create(path, options), path, options.upload());
  }

  @Override
  public void delete(StorePath path, @Nullable String version) throws FerryException {
    store.delete(path, version);
  }

  @Override
  public void move(StorePath source, StorePath target, boolean replace) throws FerryException {
    store.move(source, target, replace);
  }

  @Override
  public void makeDirectory(StorePath path, boolean parents) throws FerryException {
    quotas.takeFile();
    boolean made = false;
    try {
      store.makeDirectory(path, parents);
      made = true;
    } finally {
      returnUnless(made);
    }
  }

  private void returnUnless(boolean made) {
    if (!made) {
      quotas.returnFile();
    }
  }

  @Override
  public KeptUpload upload(UploadId id) throws FerryException {
    return store.upload(id);
  }

  @Override
  public void cancelUpload(UploadId id) throws FerryException {
    store.cancelUpload(id);
  }

  private final class QuotaSink extends ForwardingSink {
    private final StorePath path;
    private final @Nullable UploadPart part;
    private final boolean kept;
    private final long begin;
    private boolean refused;

    QuotaSink(FileSink sink, StorePath path, @Nullable UploadPart part) {
      super(sink);
      this.path = path;
      this.part = part;
      this.kept = sink.isKept();
      this.begin = sink.written();
    }

    @Override
    public void expect(long size) throws FerryException {
      // What has arrived before of a continued upload stays.
      refused = begin == 0;
      quotas.requireBytes(path, size - begin);
      refused = false;
      super.expect(size);
    }

    @Override
    public void write(ByteBuffer source) throws FerryException {
      count(source.remaining());
      super.write(source);
    }

    @Override
    public void write(ByteBuffer[] sources, int offset, int count) throws FerryException {
      long bytes = 0;
      for (int i = offset; i < offset + count; i++) {
        bytes += sources[i].remaining();
      }
      count(bytes);
      super.write(sources, offset, count);
    }

    private void count(long bytes) throws FerryException {
      refused = true;
      quotas.takeBytes(path, bytes, written() - begin);
      refused = false;
    }

    @Override
    public FileFacts commit(long expectedSize, @Nullable Digest expectedDigest)
        throws FerryException {
      refused = true;
      quotas.takeFile();
      refused = false;
      boolean made = false;
      try {
        FileFacts facts = super.commit(expectedSize, expectedDigest);
        made = true;
        return facts;
      } finally {
        returnUnless(made);
      }
    }

    @Override
    public void close() throws FerryException {
      super.close();
      if (refused && kept && part != null) {
        try {
          store.cancelUpload(part.id());
        } catch (FerryException e) {
          if (e.kind() != ErrorKind.NOT_FOUND) {
            throw e;
          }
          // Someone else has cancelled it.
        }
      }
    }
  }
}
