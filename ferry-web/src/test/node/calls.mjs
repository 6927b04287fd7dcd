// The calls of ferry.v1.Files by a client of Connect's: each gives one line.
import { createClient } from "@connectrpc/connect";
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

/** A client that knows the service by its descriptors, in base64. */
export function client(descriptors, transport) {
  const bytes = Uint8Array.from(atob(descriptors), (c) => c.charCodeAt(0));
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, bytes));
  return createClient(registry.getService("ferry.v1.Files"), transport);
}

async function line(name, call) {
  try {
    return name + " " + (await call());
  } catch (e) {
    return name + " failed: " + e.message;
  }
}

export async function calls(files) {
  return [
    await line("stat", async () => (await files.stat({ path: "f" })).facts.size),
    await line("list", async () => {
      const names = [];
      for await (const reply of files.list({ path: "" })) {
        names.push(...reply.entries.map((entry) => entry.name));
      }
      return names.sort().join(" ");
    }),
    await line("download", async () => {
      let size = 0;
      for await (const part of files.download({ path: "f", chunkSize: 65536 })) {
        size += part.part.case === "chunk" ? part.part.value.length : 0;
      }
      return size;
    }),
    await line("missing", async () => (await files.stat({ path: "missing" })).facts.size),
  ];
}
