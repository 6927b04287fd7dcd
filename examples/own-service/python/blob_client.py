"""Writes a file to a blob, and prints the blob as it comes back.

Needs grpcio and protobuf, and the messages of blobs.proto on PYTHONPATH:
    protoc -I examples/own-service/src/main/protobuf --python_out=OUT blobs.proto

Usage: blob_client.py HOST:PORT FILE
"""

import sys

import blobs_pb2 as blobs
import grpc

address, name = sys.argv[1:]


def parts():
    offset = 0
    with open(name, "rb") as file:
        while data := file.read(64 * 1024):
            yield blobs.Blob(offset=offset, data=data)
            offset += len(data)


with grpc.insecure_channel(address) as channel:
    write = channel.stream_unary(
        "/example.BlobStore/Write",
        blobs.Blob.SerializeToString,
        blobs.WriteResponse.FromString,
    )
    written = write(parts())
    read = channel.unary_stream(
        "/example.BlobStore/Read",
        blobs.ReadRequest.SerializeToString,
        blobs.Blob.FromString,
    )
    position = 0
    for blob in read(blobs.ReadRequest(name=written.name)):
        if blob.offset != position:
            sys.exit(f"offset {blob.offset} at byte {position}")
        position += len(blob.data)
        sys.stdout.buffer.write(blob.data)
