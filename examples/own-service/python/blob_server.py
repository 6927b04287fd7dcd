"""Keeps blobs in memory. Prints its port, and serves until its standard input ends.

Needs what blob_client.py needs.
"""

import sys
from concurrent import futures

import blobs_pb2 as blobs
import grpc

kept = {}


def read(request, context):
    blob = kept.get(request.name)
    if blob is None:
        context.abort(grpc.StatusCode.NOT_FOUND, "no such blob")
    for offset in range(0, len(blob), 64 * 1024):
        yield blobs.Blob(offset=offset, data=blob[offset : offset + 64 * 1024])


def write(requests, context):
    blob = bytearray()
    for part in requests:
        if part.offset != len(blob):
            context.abort(grpc.StatusCode.OUT_OF_RANGE, f"offset {part.offset}")
        blob += part.data
    name = str(len(kept))
    kept[name] = bytes(blob)
    return blobs.WriteResponse(name=name, size=len(blob))


server = grpc.server(futures.ThreadPoolExecutor())
methods = {
    "Read": grpc.unary_stream_rpc_method_handler(
        read, blobs.ReadRequest.FromString, blobs.Blob.SerializeToString
    ),
    "Write": grpc.stream_unary_rpc_method_handler(
        write, blobs.Blob.FromString, blobs.WriteResponse.SerializeToString
    ),
}
service = grpc.method_handlers_generic_handler("example.BlobStore", methods)
server.add_generic_rpc_handlers((service,))
print(server.add_insecure_port("127.0.0.1:0"), flush=True)
server.start()
sys.stdin.read()
server.stop(None)
