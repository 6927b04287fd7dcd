"""Uploads a file to a Ferry server over gRPC, and prints it as it comes back.

Needs grpcio and protobuf, and the messages of ferry/v1/files.proto on PYTHONPATH:
    protoc -I ferry-wire/src/main/protobuf --python_out=OUT ferry/v1/files.proto

Usage: files_grpc.py HOST:7070 PATH FILE
"""

import os
import sys

import grpc
from ferry.v1 import files_pb2 as ferry

address, path, name = sys.argv[1:]


def parts():
    facts = ferry.FileFacts(name=path, size=os.path.getsize(name))
    yield ferry.FilePart(facts=facts)
    with open(name, "rb") as file:
        while chunk := file.read(256 * 1024):
            yield ferry.FilePart(chunk=chunk)


with grpc.insecure_channel(address) as channel:
    upload = channel.stream_unary(
        "/ferry.v1.Files/Upload",
        ferry.FilePart.SerializeToString,
        ferry.UploadReply.FromString,
    )
    upload(parts())
    download = channel.unary_stream(
        "/ferry.v1.Files/Download",
        ferry.DownloadRequest.SerializeToString,
        ferry.FilePart.FromString,
    )
    for part in download(ferry.DownloadRequest(path=path)):
        sys.stdout.buffer.write(part.chunk)
