package dev.ferry.core;

import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadStatus;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A carrier that can do nothing. A test overrides the calls that it expects. */
public class StubCarrier implements Carrier {
  @Override
  public Transfer download(StorePath path, PartReceiver receiver, TransferOptions options)
      throws FerryException {
    throw new UnsupportedOperationException();
  }

  @Override
  public Transfer upload(FileSource source, StorePath path, TransferOptions options)
      throws FerryException {
    throw new UnsupportedOperationException();
  }

  @Override
  public UploadStatus uploadStatus(UploadId id, CallLimits limits) throws FerryException {
    throw new FerryException(ErrorKind.INVALID_REQUEST, "upload " + id + ": no uploads are kept");
  }

  @Override
  public void cancelUpload(UploadId id, CallLimits limits) throws FerryException {
    throw new FerryException(ErrorKind.INVALID_REQUEST, "upload " + id + ": no uploads are kept");
  }

  @Override
  public FileFacts stat(StorePath path, Digest.@Nullable Algorithm digest, CallLimits limits)
      throws FerryException {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileFacts readNow(StorePath path, long size, Digest.Algorithm digest, CallLimits limits)
      throws FerryException {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean list(
      StorePath directory, boolean tree, Predicate<FileFacts> entries, CallLimits limits)
      throws FerryException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void change(Change change, CallLimits limits) throws FerryException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
