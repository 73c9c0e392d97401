import createClient, { type MaybeOptionalInit } from "openapi-fetch";
import { createTransport, type TransportOptions } from "./transport.ts";
import type { paths } from "./v1.ts";

type Method = "get" | "post";

/** The paths that have an operation of this method. */
export type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never;
}[keyof paths];

/** The JSON body of an operation's answer. */
export type Body<P extends keyof paths, M extends Method> = paths[P][M] extends {
  responses: { 200: { content: { "application/json": infer Json } } };
}
  ? Json
  : never;

/** Parameters, body and `fetch` options of an operation; left out where none is required. */
type Init<P extends keyof paths, M extends Method> =
  undefined extends MaybeOptionalInit<paths[P], M>
    ? [init?: MaybeOptionalInit<paths[P], M>]
    : [init: MaybeOptionalInit<paths[P], M>];

/** The operations of the API, by method and path. */
export interface Calls {
  /** Reads a record or a page. @throws ApiError, ConnectionError */
  readonly get: <P extends PathsOf<"get">>(
    path: P,
    ...init: Init<P, "get">
  ) => Promise<Body<P, "get">>;
  /** Sends a body, once only when its answer is lost. @throws ApiError, ConnectionError */
  readonly post: <P extends PathsOf<"post">>(
    path: P,
    ...init: Init<P, "post">
  ) => Promise<Body<P, "post">>;
  /** Reads a file: the QR code of an eSIM, or a report. @throws ApiError, ConnectionError */
  readonly download: <P extends PathsOf<"get">>(path: P, ...init: Init<P, "get">) => Promise<Blob>;
  /** Sends a purchase, and sends it again when its answer is lost. */
  readonly postPurchase: (path: string, body: object, signal?: AbortSignal) => Promise<unknown>;
}

export interface CallsOptions extends TransportOptions {
  /** The gateway's address without `/v1`, for example `http://127.0.0.1:8787`. */
  readonly baseUrl: string;
}

/** A method of openapi-fetch without the types of its paths, which `Calls` states for the callers. */
type UntypedMethod = (path: string, init: object) => Promise<{ data?: unknown }>;

export function createCalls(options: CallsOptions): Calls {
  const send = createTransport(options);
  const { GET, POST } = createClient<paths>({
    baseUrl: options.baseUrl,
    headers: { accept: "application/json" },
    fetch: (request) => send(request, request.method === "GET"),
    // After a redirect a POST would become a GET.
    redirect: "error",
  }) as unknown as Record<"GET" | "POST", UntypedMethod>;

  async function getData(answer: Promise<{ data?: unknown }>): Promise<never> {
    return (await answer).data as never;
  }

  return {
    get: (path, init?: object) => getData(GET(path, { ...init })),
    post: (path, init?: object) => getData(POST(path, { ...init })),
    download: (path, init?: object) =>
      getData(GET(path, { headers: { accept: "*/*" }, parseAs: "blob", ...init })),
    postPurchase: (path, body, signal) =>
      getData(
        POST(path, {
          body,
          fetch: (request: Request) => send(request, true),
          ...(signal && { signal }),
        }),
      ),
  };
}
