"""A client and a server of ferry.v1.Files on the C core of gRPC, to measure Ferry against.

It reads JSON from its standard input, an object a line, answers each with one on its standard
output, and ends with its input. The first line says what it is:

  {"role": "server", "method": M, "messages": B, "host": ADDRESS, "root": FOLDER}
  {"role": "client", "method": M, "messages": B, "host": ADDRESS, "port": N}

and is answered with {"port": N} as soon as it listens or is connected. M is Default, with generated
messages, or RentedArray, which writes and reads the few bytes around a chunk itself. B is the
protocol, a FileDescriptorProto in base64. A client then takes a line for each transfer,

  {"command": "download" or "upload", "name": PATH, "file": FILE, "chunk": N, "gzip": BOOL,
   "seconds": N or null}

and answers {"nanos", "bytes", "wireBytes", "protocol", "encoding", "cpuNanos"}, or, where it went
wrong, {"failed": TEXT, "code": GRPC_CODE or null, "kind": FERRY_ERROR or null}.

The server has Download and Upload of the contract; it knows nothing of create_only,
and makes the folders of every path.
"""

import base64
import errno
import hashlib
import json
import os
import socket
import struct
import sys
import time
import uuid
from concurrent import futures

import grpc

SERVICE = "ferry.v1.Files"
DEFAULT_CHUNK = 65536
MAX_CHUNK = 1048512
START_SECONDS = 5
STOP_SECONDS = 2
THREADS = 4

# Small chunks are gathered, those that are larger are written as they are.
WRITE_BUFFER = 32768

# A proxy of the user's is for the world outside.
OPTIONS = [("grpc.enable_http_proxy", 0)]

FACTS, CHUNK, END = "facts", "chunk", "end"


class PeerError(Exception):
    """What is wrong, and what it is called on the wire."""

    def __init__(self, text, code=None, kind=None):
        super().__init__(text)
        self.code = code
        self.kind = kind


def incomplete(text):
    return PeerError(text, grpc.StatusCode.DATA_LOSS, "incomplete")


class Generated:
    """Messages as protobuf's own library has them, made from the protocol when it starts."""

    def __init__(self, protocol):
        from google.protobuf import descriptor_pool, message_factory

        pool = descriptor_pool.DescriptorPool()
        pool.AddSerializedFile(protocol)

        def message(name):
            descriptor = pool.FindMessageTypeByName("ferry.v1." + name)
            if hasattr(message_factory, "GetMessageClass"):
                return message_factory.GetMessageClass(descriptor)
            return message_factory.MessageFactory(pool).GetPrototype(descriptor)

        self.part_type = message("FilePart")
        self.request_type = message("DownloadRequest")
        self.reply_type = message("UploadReply")

    def serializers(self, method):
        """How to write a method's request and reply, and how to read them."""
        types = {
            "Download": (self.request_type, self.part_type),
            "Upload": (self.part_type, self.reply_type),
        }[method]
        return [t.SerializeToString for t in types], [t.FromString for t in types]

    def request(self, name, chunk, gzip):
        return self.request_type(path=name, chunk_size=chunk, compress=gzip)

    def read_request(self, request):
        return request.path, request.chunk_size, request.compress, request.want_digest

    def facts(self, name, size, millis):
        part = self.part_type()
        part.facts.name, part.facts.size, part.facts.last_modified_millis = name, size, millis
        return part

    def chunks(self, source, size):
        while chunk := source.read(size):
            yield self.part_type(chunk=chunk)

    def end(self, sha256):
        part = self.part_type()
        part.end.sha256 = sha256
        return part

    def part(self, message):
        """A message's kind and value; facts are a name and a size, which may be None."""
        kind = message.WhichOneof("part")
        if kind == CHUNK:
            return kind, message.chunk
        if kind == FACTS:
            facts = message.facts
            return kind, (facts.name, facts.size if facts.HasField("size") else None)
        return kind, message.end.sha256

    def reply(self, name, size, sha256):
        reply = self.reply_type()
        reply.facts.name, reply.facts.size, reply.facts.sha256 = name, size, sha256
        return reply

    def reply_size(self, reply):
        return reply.facts.size


def varint(number):
    number &= (1 << 64) - 1
    encoded = bytearray()
    while number > 0x7F:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def number_field(field, number):
    return varint(field << 3) + varint(number)


def bytes_field(field, value):
    return varint(field << 3 | 2) + varint(len(value)) + value


def read_varint(message, position):
    number = shift = 0
    while position < len(message) and shift < 64:
        byte = message[position]
        position += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, position
    raise PeerError("a message is cut", grpc.StatusCode.INTERNAL, "internal")


def read_fields(message):
    """The fields of a message by number, the last of each; none of ours has fixed-size fields."""
    values, position = {}, 0
    while position < len(message):
        tag, position = read_varint(message, position)
        value, position = read_varint(message, position)
        if tag & 7 == 2:
            end = position + value
            value, position = message[position:end], end
        elif tag & 7 != 0:
            raise PeerError("a message has a field of another kind", grpc.StatusCode.INTERNAL,
                            "internal")
        if position > len(message):
            raise PeerError("a message is cut", grpc.StatusCode.INTERNAL, "internal")
        values[tag >> 3] = value
    return values


class Raw:
    """Messages as bytes: a chunk is copied once into its message, and not at all out of it."""

    CHUNK_TAG = 2 << 3 | 2

    def serializers(self, method):
        return [None, None], [None, None]

    def request(self, name, chunk, gzip):
        return (bytes_field(1, name.encode()) + number_field(2, chunk) +
                number_field(4, int(gzip)))

    def read_request(self, request):
        values = read_fields(request)
        return (values.get(1, b"").decode(), values.get(2, 0), bool(values.get(4, 0)),
                bool(values.get(3, 0)))

    def facts(self, name, size, millis):
        return bytes_field(1, bytes_field(1, name.encode()) + number_field(2, size) +
                           number_field(3, millis))

    def chunks(self, source, size):
        header = bytes([self.CHUNK_TAG]) + varint(size)
        message = bytearray(len(header) + size)
        message[:len(header)] = header
        payload = memoryview(message)[len(header):]
        while count := source.readinto(payload):
            yield bytes(message) if count == size else bytes_field(2, bytes(payload[:count]))

    def end(self, sha256):
        return bytes_field(3, bytes_field(1, sha256))

    def part(self, message):
        if message and message[0] == self.CHUNK_TAG:
            length, start = read_varint(message, 1)
            if start + length == len(message):
                return CHUNK, memoryview(message)[start:]
        values = read_fields(message)
        if 1 in values:
            facts = read_fields(values[1])
            return FACTS, (facts.get(1, b"").decode(), facts.get(2))
        if 2 in values:
            return CHUNK, values[2]
        return (END, read_fields(values[3]).get(1, b"")) if 3 in values else (None, None)

    def reply(self, name, size, sha256):
        return bytes_field(1, bytes_field(1, name.encode()) + number_field(2, size) +
                           bytes_field(5, sha256))

    def reply_size(self, reply):
        return read_fields(read_fields(reply).get(1, b"")).get(2, 0)


def first_facts(form, parts):
    """The facts that begin a stream."""
    first = next(parts, None)
    kind, facts = (None, None) if first is None else form.part(first)
    if kind != FACTS:
        raise PeerError("the stream does not begin with facts", grpc.StatusCode.INVALID_ARGUMENT,
                        "invalid-request")
    return facts


def receive(form, parts, announced, part_file, file):
    """Writes the rest of a stream to a temporary file and renames it; gives its size and digest."""
    size, digest = 0, b""
    try:
        with open(part_file, "wb", buffering=WRITE_BUFFER) as target:
            for message in parts:
                kind, value = form.part(message)
                if kind == CHUNK:
                    size += target.write(value)
                elif kind == END:
                    digest = bytes(value)
                else:
                    raise PeerError("a message is neither chunk nor end",
                                    grpc.StatusCode.INVALID_ARGUMENT, "invalid-request")
        if announced is not None and announced != size:
            raise incomplete("%d bytes came, %d were announced" % (size, announced))
        if digest and digest != sha256_of(part_file):
            raise PeerError("the digest is wrong", grpc.StatusCode.DATA_LOSS, "digest-mismatch")
        os.rename(part_file, file)
    except BaseException:
        if os.path.exists(part_file):
            os.remove(part_file)
        raise
    return size, digest


def sha256_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as source:
        while piece := source.read(1 << 18):
            digest.update(piece)
    return digest.digest()


def file_parts(form, name, path, chunk):
    """The messages of a file's stream: facts and chunks."""
    with open(path, "rb") as source:
        stat = os.fstat(source.fileno())
        yield form.facts(name, stat.st_size, stat.st_mtime_ns // 1_000_000)
        yield from form.chunks(source, chunk)


class Server:
    """Download and Upload over a folder."""

    ERRORS = {
        errno.ENOENT: (grpc.StatusCode.NOT_FOUND, "not-found"),
        errno.EISDIR: (grpc.StatusCode.ALREADY_EXISTS, "already-exists"),
        errno.ENOTDIR: (grpc.StatusCode.ALREADY_EXISTS, "already-exists"),
        errno.EEXIST: (grpc.StatusCode.ALREADY_EXISTS, "already-exists"),
        errno.EACCES: (grpc.StatusCode.PERMISSION_DENIED, "permission-denied"),
        errno.ENOSPC: (grpc.StatusCode.RESOURCE_EXHAUSTED, "out-of-space"),
    }

    def __init__(self, form, root, host):
        self.form = form
        self.root = os.path.realpath(root)
        handlers = {}
        for name, kind, work in (("Download", grpc.unary_stream_rpc_method_handler, self.download),
                                 ("Upload", grpc.stream_unary_rpc_method_handler, self.upload)):
            (_, write), (read, _) = form.serializers(name)
            handlers[name] = kind(work, request_deserializer=read, response_serializer=write)
        self.server = grpc.server(futures.ThreadPoolExecutor(THREADS))
        self.server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(SERVICE, handlers),))
        self.port = self.server.add_insecure_port("%s:0" % host)
        self.server.start()

    def path(self, name):
        path = os.path.realpath(os.path.join(self.root, name))
        if (any(part in ("", ".", "..") for part in name.split("/")) or "\\" in name or
                os.path.commonpath([path, self.root]) != self.root):
            raise PeerError(name + ": no path in the folder", grpc.StatusCode.INVALID_ARGUMENT,
                            "invalid-path")
        return path

    def fail(self, context, error):
        """Ends a call with what went wrong."""
        if isinstance(error, OSError):
            code, kind = self.ERRORS.get(error.errno, (grpc.StatusCode.INTERNAL, "internal"))
        else:
            code, kind = error.code, error.kind
        context.set_trailing_metadata((("ferry-error", kind),))
        context.abort(code, str(error))

    def download(self, request, context):
        try:
            name, chunk, gzip, want_digest = self.form.read_request(request)
            path = self.path(name)
            if not os.path.isfile(path):
                raise PeerError(name + ": no such file", grpc.StatusCode.NOT_FOUND, "not-found")
            if chunk > MAX_CHUNK:
                raise PeerError("chunk_size is %d" % chunk, grpc.StatusCode.INVALID_ARGUMENT,
                                "invalid-request")
            if gzip:
                context.set_compression(grpc.Compression.Gzip)
            yield from file_parts(self.form, name, path, chunk or DEFAULT_CHUNK)
            if want_digest:
                yield self.form.end(sha256_of(path))
        except (PeerError, OSError) as error:
            self.fail(context, error)

    def upload(self, parts, context):
        try:
            name, announced = first_facts(self.form, parts)
            path = self.path(name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            part_file = "%s.%s.part" % (path, uuid.uuid4().hex)
            size, digest = receive(self.form, parts, announced, part_file, path)
            return self.form.reply(name, size, digest)
        except (PeerError, OSError) as error:
            return self.fail(context, error)

    def close(self):
        self.server.stop(0).wait(STOP_SECONDS)


class Client:
    """Transfers over one channel, one after the other."""

    def __init__(self, form, host, port):
        self.form = form
        self.port = port
        self.channel = grpc.insecure_channel("%s:%d" % (host, port), options=OPTIONS)
        self.calls = {}
        for name, kind in (("Download", self.channel.unary_stream),
                           ("Upload", self.channel.stream_unary)):
            (write, _), (_, read) = form.serializers(name)
            self.calls[name] = kind("/%s/%s" % (SERVICE, name), request_serializer=write,
                                    response_deserializer=read)
        try:
            grpc.channel_ready_future(self.channel).result(START_SECONDS)
        except grpc.FutureTimeoutError:
            sys.exit("no gRPC server answers on port %d" % port)

    def run(self, command):
        try:
            return self.timed(command)
        except grpc.RpcError as error:
            kinds = [value for key, value in error.trailing_metadata() or ()
                     if key == "ferry-error"]
            return {"failed": error.details() or error.code().name, "code": error.code().name,
                    "kind": kinds[0] if kinds else None}
        except PeerError as error:
            return {"failed": str(error), "code": error.code.name if error.code else None,
                    "kind": error.kind}
        except OSError as error:
            return {"failed": str(error), "code": None, "kind": None}

    def timed(self, command):
        transfer, counter = {"download": (self.download, "received"),
                             "upload": (self.upload, "acknowledged")}[command["command"]]
        before = self.connection()
        cpu = time.process_time_ns()
        start = time.perf_counter_ns()
        size = transfer(command)
        nanos = time.perf_counter_ns() - start
        cpu = time.process_time_ns() - cpu
        after = self.connection()
        if before["port"] != after["port"]:
            raise PeerError("the connection was lost and made anew")
        wire_bytes = after[counter] - before[counter]
        return {
            "nanos": nanos, "bytes": size, "wireBytes": wire_bytes, "protocol": "h2c",
            # The C core tells nobody which encoding a message came in: its bytes do.
            "encoding": "gzip" if wire_bytes < size else "identity", "cpuNanos": cpu,
        }

    def connection(self):
        """What the kernel has counted on the channel's connection, and its port at this end."""
        for name in os.listdir("/proc/self/fd"):
            try:
                connection = socket.socket(fileno=int(name))
            except OSError:
                continue
            try:
                if connection.getpeername()[1] == self.port:
                    info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 136)
                    # tcpi_bytes_acked and tcpi_bytes_received of <linux/tcp.h>
                    acknowledged, received = struct.unpack_from("=QQ", info, 120)
                    return {"port": connection.getsockname()[1], "acknowledged": acknowledged,
                            "received": received}
            except (OSError, IndexError):
                continue
            finally:
                # It belongs to the C core.
                connection.detach()
        raise PeerError("the connection was lost", grpc.StatusCode.UNAVAILABLE)

    def download(self, command):
        form, file = self.form, command["file"]
        request = form.request(command["name"], command["chunk"], command["gzip"])
        call = self.calls["Download"](request, timeout=command["seconds"])
        try:
            _, announced = first_facts(form, call)
            size, _ = receive(form, call, announced, file + ".part", file)
            return size
        finally:
            call.cancel()

    def upload(self, command):
        form, file = self.form, command["file"]
        compression = grpc.Compression.Gzip if command["gzip"] else grpc.Compression.NoCompression
        size = os.path.getsize(file)
        reply = self.calls["Upload"](file_parts(form, command["name"], file, command["chunk"]),
                                     timeout=command["seconds"], compression=compression)
        if form.reply_size(reply) != size:
            raise incomplete("%d bytes were sent, %d came" % (size, form.reply_size(reply)))
        return size

    def close(self):
        self.channel.close()


def answer(value):
    print(json.dumps(value), flush=True)


def main():
    setup = json.loads(sys.stdin.readline())
    form = (Generated(base64.b64decode(setup["messages"])) if setup["method"] == "Default"
            else Raw())
    peer = (Server(form, setup["root"], setup["host"]) if setup["role"] == "server"
            else Client(form, setup["host"], setup["port"]))
    answer({"port": peer.port})
    for line in sys.stdin:
        answer(peer.run(json.loads(line)))
    peer.close()
    # Threads of calls that do not end must not keep the process.
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
