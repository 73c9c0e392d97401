/**
 * A server that does nothing but answer, in a process of its own: how late it answers is how late
 * this machine lets any program answer. Sends its address to the process that began it.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer((_request, response) => response.end("ok"));
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
process.send?.(`http://127.0.0.1:${port}/`);
process.on("disconnect", () => process.exit());
