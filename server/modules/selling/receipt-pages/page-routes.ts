import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../../contract/problem.ts";
import { isLoopback } from "../../../http/addresses.ts";
import type { App } from "../../../http/app-types.ts";
import { sourceOf } from "../../../lib/place.ts";
import { PICTURE_FILE } from "./page-format.ts";
import {
  noPageHtml,
  PAGE_HEADERS,
  PICTURE_HEADERS,
  PRIVATE_HEADERS,
  receiptHtml,
} from "./page-html.ts";
import {
  type NoPage,
  type PageAct,
  type PagePicture,
  type ProofPage,
  REFRESH_S,
  type ReceiptPage,
  type ReceiptPageService,
} from "./page-service.ts";
import { PAGE_PREFIX } from "./page-settings.ts";

interface PageRoutesDeps {
  accountId: string;
  pages: ReceiptPageService;
}

const FORM_BYTES = 1024;
const STATUS = { NOT_FOUND: 404, GONE: 410, BUSY: 429 } as const;
const PROOF_FILE = /^bill-(\d{1,2})\.pdf$/;

/** The pages need no credential except the link. */
export async function registerPageRoutes(
  app: App,
  { accountId, pages }: PageRoutesDeps,
): Promise<void> {
  await app.register(
    async (scope) => {
      scope.addContentTypeParser(
        "application/x-www-form-urlencoded",
        { parseAs: "string", bodyLimit: FORM_BYTES },
        (_request, text, done) => done(null, new URLSearchParams(String(text))),
      );
      scope.setErrorHandler((error, request, reply) => {
        const isOurs = !(error instanceof Problem) && !isClientFault(error);
        if (isOurs) {
          const context = { reqId: request.id, err: error };
          request.log.error(context, "an unexpected error on a receipt page");
        }
        return send(reply, { trouble: isOurs ? "BUSY" : "NOT_FOUND", language: "en" }, 503);
      });
      const open = async (request: FastifyRequest, reply: FastifyReply, act: PageAct) => {
        const { token } = request.params as { token: string };
        const page = await pages.open(accountId, token, whereFrom(request), act);
        return send(reply, page);
      };
      scope.get("/:token", { exposeHeadRoute: false, schema: { hide: true } }, (request, reply) => {
        const { again } = request.query as { again?: unknown };
        const mark = typeof again === "string" ? again : "";
        return open(request, reply, { kind: "LOOK", again: mark });
      });
      scope.get(
        "/:token/:file",
        { exposeHeadRoute: false, schema: { hide: true } },
        async (request, reply) => {
          const { token, file } = request.params as { token: string; file: string };
          const digest = PICTURE_FILE.exec(file)?.[1];
          if (digest !== undefined) {
            const picture = await pages.openPicture(accountId, token, whereFrom(request), digest);
            return "trouble" in picture ? send(reply, picture) : sendPicture(reply, picture);
          }
          const position = Number(PROOF_FILE.exec(file)?.[1] ?? -1);
          const page = await pages.openProof(accountId, token, whereFrom(request), position);
          return "trouble" in page ? send(reply, page) : sendProof(reply, page);
        },
      );
      scope.post("/:token", { schema: { hide: true } }, (request, reply) => {
        const line = request.body instanceof URLSearchParams ? request.body.get("line") : "";
        const position = /^\d{1,2}$/.test(line ?? "") ? Number(line) : -1;
        return open(request, reply, { kind: "SHOW", position });
      });
    },
    { prefix: PAGE_PREFIX },
  );
}

function send(reply: FastifyReply, page: ReceiptPage | NoPage, fault?: number) {
  reply.headers(PAGE_HEADERS);
  if ("trouble" in page) {
    const status = page.trouble === "BUSY" ? (fault ?? STATUS.BUSY) : STATUS[page.trouble];
    return reply.status(status).send(noPageHtml(page));
  }
  if (page.refresh !== undefined) {
    reply.header("refresh", `${REFRESH_S}; url=?again=${page.refresh}`);
  }
  return receiptHtml(page).then((text) => reply.send(text));
}

function sendPicture(reply: FastifyReply, { type, content }: PagePicture) {
  return reply.headers({ ...PICTURE_HEADERS, "content-type": type }).send(Buffer.from(content));
}

function sendProof(reply: FastifyReply, { proof, name }: ProofPage) {
  return reply
    .headers({ ...PRIVATE_HEADERS, "content-type": "application/pdf" })
    .header("content-disposition", `attachment; filename="${name}"`)
    .send(Buffer.from(proof));
}

function isClientFault(error: unknown): boolean {
  const status = (error as { statusCode?: unknown } | undefined)?.statusCode;
  return typeof status === "number" && status >= 400 && status < 500;
}

/**
 * Returns the visitor's address. Behind a proxy on this machine, the last forwarded address counts;
 * earlier addresses may be forged.
 */
function whereFrom(request: FastifyRequest): string {
  const named = request.headers["x-forwarded-for"];
  const last =
    String(named ?? "")
      .split(",")
      .at(-1)
      ?.trim() ?? "";
  return sourceOf(isLoopback(request.ip) && last !== "" ? last : request.ip);
}
