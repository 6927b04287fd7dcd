package dev.ferry.grpc.internal;

import com.google.protobuf.ByteString;
import dev.ferry.contract.v1.CancelUploadReply;
import dev.ferry.contract.v1.CancelUploadRequest;
import dev.ferry.contract.v1.UploadStatusReply;
import dev.ferry.contract.v1.UploadStatusRequest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileFacts;
import dev.ferry.core.FileStore;
import dev.ferry.core.upload.UploadId;
import dev.ferry.core.upload.UploadStatus;
import io.grpc.stub.StreamObserver;

/**
 * Responds to questions about uploads that can be continued.
 *
 * @param store the store of the caller
 */
record KeptUploads(FileStore store) {
  void status(UploadStatusRequest request, StreamObserver<UploadStatusReply> observer) {
    try {
      UploadStatus status = store.upload(id(request.getUploadId())).status();
      UploadStatusReply.Builder reply =
          UploadStatusReply.newBuilder().setReceived(status.received());
      FileFacts complete = status.complete();
      if (complete != null) {
        reply.setFacts(Facts.toMessage(complete));
      }
      observer.onNext(reply.build());
      observer.onCompleted();
    } catch (FerryException | RuntimeException e) {
      FilesService.fail(observer, e, "upload status");
    }
  }

  void cancel(CancelUploadRequest request, StreamObserver<CancelUploadReply> observer) {
    try {
      store.cancelUpload(id(request.getUploadId()));
      observer.onNext(CancelUploadReply.getDefaultInstance());
      observer.onCompleted();
    } catch (FerryException | RuntimeException e) {
      FilesService.fail(observer, e, "upload");
    }
  }

  private static UploadId id(ByteString bytes) throws FerryException {
    return UploadId.of(bytes.toByteArray());
  }
}
