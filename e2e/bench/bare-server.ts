/**
 * A server that only answers, in a separate process: its delay is the noise of the machine. Sends
 * its address to the parent process.
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
