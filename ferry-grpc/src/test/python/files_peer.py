"""A client and a server of ferry.v1.Files on the C core of gRPC, as a peer that is not Ferry's.

usage: files_peer.py MESSAGES serve ROOT
       files_peer.py MESSAGES download PORT PATH FILE [--chunk N] [--gzip] [--digest] [--identity]
                                                          [--encoding E]
       files_peer.py MESSAGES upload PORT FILE PATH [--chunk N] [--gzip] [--digest] [--cut N]
                                                    [--wrong-digest] [--silent N]
       files_peer.py MESSAGES stat PORT PATH
       files_peer.py MESSAGES list PORT PATH
       files_peer.py MESSAGES batch

MESSAGES is the folder of what protoc made of ferry-wire's protocol (--python_out). serve
prints its port and ends when its standard input does. batch reads a command per line, answers each
with a line that begins with "ok" or "failed", and ends with its input. Others exit with 1 after one
line that says what went wrong.
"""

import argparse
import concurrent.futures
import hashlib
import itertools
import os
import shlex
import sys
import threading

import grpc

MAX_CHUNK = 1048512
DEFAULT_CHUNK = 65536
CALL_SECONDS = 60
IDENTITY_ONLY = [("grpc.compression_enabled_algorithms_bitset", 1)]


class PeerError(Exception):
    """What the other end did wrong."""


def check(condition, what):
    if not condition:
        raise PeerError(what)


def compression(gzip):
    return grpc.Compression.Gzip if gzip else grpc.Compression.NoCompression


def file_parts(files, name, path, chunk_size, want_digest, length=None):
    """The messages of a file's stream: facts, chunks, and the digest where it is wanted."""
    stat = os.stat(path)
    facts = files.FileFacts(
        name=name, size=stat.st_size, last_modified_millis=stat.st_mtime_ns // 1_000_000)
    yield files.FilePart(facts=facts)
    digest = hashlib.sha256()
    with open(path, "rb") as source:
        while chunk := source.read(chunk_size):
            digest.update(chunk)
            yield files.FilePart(chunk=chunk)
            if length is not None and source.tell() >= length:
                raise PeerError("cut as asked after %d bytes" % source.tell())
    if want_digest:
        yield files.FilePart(end=files.FileEnd(sha256=digest.digest()))


def fall_silent(parts, count, ended):
    """Some messages, and no more before the call has ended."""
    yield from itertools.islice(parts, count)
    ended.wait(CALL_SECONDS)


def receive(parts, target_of, sizes=None):
    """Writes the file of a stream; gives its facts and the SHA-256 of what came and was said."""
    facts, said, digest, size, target = None, b"", hashlib.sha256(), 0, None
    try:
        for part in parts:
            kind = part.WhichOneof("part")
            if kind == "facts":
                check(facts is None, "facts came twice")
                facts = part.facts
                target = open(target_of(facts), "wb")
            elif kind == "chunk":
                check(facts is not None, "a chunk came before the facts")
                check(not said, "a chunk came behind the end")
                target.write(part.chunk)
                digest.update(part.chunk)
                size += len(part.chunk)
                if sizes is not None:
                    sizes.append(len(part.chunk))
            else:
                check(kind == "end", "a message has none of facts, chunk and end")
                said = part.end.sha256
        check(facts is not None, "the stream ended before the facts")
        if facts.HasField("size"):
            check(facts.size == size, "%d bytes came, %d were announced" % (size, facts.size))
        check(not said or said == digest.digest(), "the digest is wrong")
    except BaseException:
        if target is not None:
            target.close()
            os.remove(target.name)
        raise
    target.close()
    result = type(facts)(name=facts.name, size=size, sha256=digest.digest())
    return result, said


class Client:
    """Calls a server, over one channel for each port and set of options."""

    def __init__(self, files):
        self.files = files
        self.channels = {}

    def method(self, port, identity, kind, name, request, reply):
        key = (port, identity)
        if key not in self.channels:
            self.channels[key] = grpc.insecure_channel(
                "127.0.0.1:%d" % port, options=IDENTITY_ONLY if identity else None)
        return getattr(self.channels[key], kind)(
            "/ferry.v1.Files/" + name, request.SerializeToString, reply.FromString)

    def close(self):
        for channel in self.channels.values():
            channel.close()

    def download(self, options):
        files = self.files
        call = self.method(options.port, options.identity, "unary_stream", "Download",
                           files.DownloadRequest, files.FilePart)
        request = files.DownloadRequest(path=options.path, chunk_size=options.chunk,
                                        want_digest=options.digest, encoding=options.encoding,
                                        compress=options.gzip or bool(options.encoding))
        sizes = []
        facts, said = receive(
            call(request, timeout=CALL_SECONDS,
                 compression=compression(options.gzip and not options.identity)),
            lambda _: options.file, sizes)
        check(bool(said) == options.digest, "a digest came unasked, or none although asked")
        check(all(size == options.chunk for size in sizes[:-1]) and
              all(0 < size <= options.chunk for size in sizes[-1:]),
              "the chunks are not of %d bytes: %s" % (options.chunk, sizes[:10]))
        return "%d bytes in %d chunks" % (facts.size, len(sizes))

    def upload(self, options):
        files = self.files
        call = self.method(options.port, False, "stream_unary", "Upload",
                           files.FilePart, files.UploadReply)
        parts = file_parts(files, options.path, options.file, options.chunk, options.digest,
                           options.cut)
        ended = threading.Event()
        if options.silent:
            parts = fall_silent(parts, options.silent // options.chunk, ended)
        if options.wrong_digest:
            parts = list(parts) + [files.FilePart(end=files.FileEnd(sha256=bytes(32)))]
        try:
            reply = call(iter(parts), timeout=CALL_SECONDS, compression=compression(options.gzip))
        finally:
            ended.set()
        check(reply.facts.size == os.path.getsize(options.file),
              "the reply says %d bytes" % reply.facts.size)
        return "%d bytes" % reply.facts.size

    def stat(self, options):
        files = self.files
        call = self.method(options.port, False, "unary_unary", "Stat",
                           files.StatRequest, files.StatReply)
        facts = call(files.StatRequest(path=options.path, want_digest=True),
                     timeout=CALL_SECONDS).facts
        return "%d bytes %s" % (facts.size, facts.sha256.hex())

    def list(self, options):
        files = self.files
        call = self.method(options.port, False, "unary_stream", "List",
                           files.ListRequest, files.ListReply)
        messages = list(call(files.ListRequest(path=options.path), timeout=CALL_SECONDS))
        check(all(message.entries for message in messages), "a message has no entries")
        names = [entry.name for message in messages for entry in message.entries]
        # Python's order of text is that of code points.
        check(names == sorted(set(names)), "the names are not in order, each once")
        return "%d entries from %s to %s" % (len(names), names[0], names[-1])


class Service:
    """ferry.v1.Files over a folder, without List."""

    def __init__(self, files, root):
        self.files = files
        self.root = os.path.realpath(root)

    def path(self, name, context):
        path = os.path.realpath(os.path.join(self.root, name))
        if not name or os.path.commonpath([path, self.root]) != self.root:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, name + ": leaves the folder")
        return path

    def existing(self, name, context):
        path = self.path(name, context)
        if not os.path.isfile(path):
            context.abort(grpc.StatusCode.NOT_FOUND, name + ": no such file")
        return path

    def download(self, request, context):
        path = self.existing(request.path, context)
        chunk = request.chunk_size or DEFAULT_CHUNK
        if chunk > MAX_CHUNK:
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "chunk_size %d" % chunk)
        context.set_compression(compression(request.compress))
        return file_parts(self.files, request.path, path, chunk, request.want_digest)

    def upload(self, parts, context):
        try:
            facts, _ = receive(parts, lambda facts: self.path(facts.name, context))
        except PeerError as error:
            context.abort(grpc.StatusCode.DATA_LOSS, str(error))
        return self.files.UploadReply(facts=facts)

    def stat(self, request, context):
        path = self.existing(request.path, context)
        facts = self.files.FileFacts(name=request.path, size=os.path.getsize(path))
        if request.want_digest:
            with open(path, "rb") as source:
                facts.sha256 = hashlib.sha256(source.read()).digest()
        return self.files.StatReply(facts=facts)

    def serve(self):
        files = self.files
        handlers = {
            "Download": grpc.unary_stream_rpc_method_handler(
                self.download, files.DownloadRequest.FromString, files.FilePart.SerializeToString),
            "Upload": grpc.stream_unary_rpc_method_handler(
                self.upload, files.FilePart.FromString, files.UploadReply.SerializeToString),
            "Stat": grpc.unary_unary_rpc_method_handler(
                self.stat, files.StatRequest.FromString, files.StatReply.SerializeToString),
        }
        server = grpc.server(concurrent.futures.ThreadPoolExecutor(4))
        server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("ferry.v1.Files", handlers),))
        port = server.add_insecure_port("127.0.0.1:0")
        server.start()
        print("ok %d" % port, flush=True)
        sys.stdin.read()
        server.stop(0)


def arguments():
    parser = argparse.ArgumentParser(prog="files_peer.py", exit_on_error=False)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("serve").add_argument("root")
    commands.add_parser("batch")
    for name in ("stat", "list"):
        command = commands.add_parser(name)
        command.add_argument("port", type=int)
        command.add_argument("path")
    for name, first, second in (("download", "path", "file"), ("upload", "file", "path")):
        command = commands.add_parser(name)
        command.add_argument("port", type=int)
        command.add_argument(first)
        command.add_argument(second)
        command.add_argument("--chunk", type=int, default=DEFAULT_CHUNK)
        command.add_argument("--gzip", action="store_true")
        command.add_argument("--digest", action="store_true")
    download, upload = commands.choices["download"], commands.choices["upload"]
    download.add_argument("--identity", action="store_true", help="accept no compression")
    download.add_argument("--encoding", default="", help="wish for compression in it")
    upload.add_argument("--cut", type=int, help="break off after so many bytes")
    upload.add_argument("--silent", type=int, help="send no more after so many bytes")
    upload.add_argument("--wrong-digest", action="store_true", help="announce zeros")
    return parser


def run(client, options):
    """Runs one command; gives what to say about it, and whether it went well."""
    try:
        return True, getattr(client, options.command)(options)
    except grpc.RpcError as error:
        kinds = [value for key, value in error.trailing_metadata() or () if key == "ferry-error"]
        return False, " ".join([error.code().name] + kinds + [error.details() or ""])
    except (PeerError, OSError) as error:
        return False, str(error)


def batch(client, parser):
    for line in sys.stdin:
        try:
            well, text = run(client, parser.parse_args(shlex.split(line)))
        except (argparse.ArgumentError, SystemExit) as error:
            well, text = False, "%s: %s" % (line.strip(), error)
        print("ok" if well else "failed", text.replace("\n", " "), flush=True)


def main():
    if len(sys.argv) < 2 or not os.path.isdir(sys.argv[1]):
        sys.exit("files_peer: the first argument is the folder of the generated messages")
    sys.path.insert(0, sys.argv[1])
    from ferry.v1 import files_pb2 as files

    parser = arguments()
    try:
        options = parser.parse_args(sys.argv[2:])
    except argparse.ArgumentError as error:
        sys.exit("files_peer: %s" % error)
    if options.command == "serve":
        Service(files, options.root).serve()
        return
    client = Client(files)
    if options.command == "batch":
        batch(client, parser)
    else:
        well, text = run(client, options)
        if not well:
            sys.exit("files_peer: " + text)
        print(text)
    client.close()


if __name__ == "__main__":
    main()
