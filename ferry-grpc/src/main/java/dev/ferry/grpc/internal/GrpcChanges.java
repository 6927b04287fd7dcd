package dev.ferry.grpc.internal;

import dev.ferry.contract.v1.DeleteReply;
import dev.ferry.contract.v1.DeleteRequest;
import dev.ferry.contract.v1.MakeDirectoryReply;
import dev.ferry.contract.v1.MakeDirectoryRequest;
import dev.ferry.contract.v1.MakeLinkReply;
import dev.ferry.contract.v1.MakeLinkRequest;
import dev.ferry.contract.v1.MoveReply;
import dev.ferry.contract.v1.MoveRequest;
import dev.ferry.core.FerryException;
import dev.ferry.core.FileStore;
import dev.ferry.core.StorePath;
import io.grpc.stub.StreamObserver;

/** The calls that change names in the store. */
final class GrpcChanges {
  private GrpcChanges() {}

  /** A call that changes names in the store, and returns its response. */
  @FunctionalInterface
  interface Change<I, O> {
    O apply(FileStore store, I request) throws FerryException;
  }

  /** Makes a change, and sends its response. */
  static <I, O> void make(
      FileStore store, Change<I, O> change, I request, StreamObserver<O> observer) {
    O response;
    try {
      response = change.apply(store, request);
    } catch (FerryException | RuntimeException e) {
      FilesService.fail(observer, e, "change");
      return;
    }
    observer.onNext(response);
    observer.onCompleted();
  }

  static DeleteReply delete(FileStore store, DeleteRequest request) throws FerryException {
    String version = request.getVersion();
    store.delete(StorePath.parse(request.getPath()), version.isEmpty() ? null : version);
    return DeleteReply.getDefaultInstance();
  }

  static MoveReply move(FileStore store, MoveRequest request) throws FerryException {
    StorePath target = StorePath.parse(request.getTarget());
    store.move(StorePath.parse(request.getPath()), target, request.getReplace());
    return MoveReply.getDefaultInstance();
  }

  static MakeDirectoryReply makeDirectory(FileStore store, MakeDirectoryRequest request)
      throws FerryException {
    store.makeDirectory(StorePath.parse(request.getPath()), request.getMakeParents());
    return MakeDirectoryReply.getDefaultInstance();
  }

  static MakeLinkReply makeLink(FileStore store, MakeLinkRequest request) throws FerryException {
    store.makeLink(StorePath.parse(request.getPath()), request.getTarget(), request.getReplace());
    return MakeLinkReply.getDefaultInstance();
  }
}
