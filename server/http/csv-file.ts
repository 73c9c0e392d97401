import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

export async function sendCsv(
  reply: FastifyReply,
  name: string,
  content: Promise<AsyncGenerator<string>>,
): Promise<FastifyReply> {
  const file = Readable.from(await content);
  reply
    .type("text/csv; charset=utf-8")
    .header("content-disposition", `attachment; filename="${name}.csv"`);
  return reply.send(file);
}
