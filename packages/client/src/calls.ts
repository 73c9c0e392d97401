import createClient, { type MaybeOptionalInit } from "openapi-fetch";
import { createTransport, type TransportOptions } from "./transport.ts";
import type { paths } from "./v1.ts";

type Method = "get" | "post";

export type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never;
}[keyof paths];

export type Body<P extends keyof paths, M extends Method> = paths[P][M] extends {
  responses: { 200: { content: { "application/json": infer Json } } };
}
  ? Json
  : never;

/** Parameters, body and `fetch` options. May be omitted if the operation requires none of them. */
type Init<P extends keyof paths, M extends Method> =
  undefined extends MaybeOptionalInit<paths[P], M>
    ? [init?: MaybeOptionalInit<paths[P], M>]
    : [init: MaybeOptionalInit<paths[P], M>];

export interface Calls {
  /**
   * Reads a record or a page.
   * @throws ApiError
   * @throws ConnectionError
   */
  readonly get: <P extends PathsOf<"get">>(
    path: P,
    ...init: Init<P, "get">
  ) => Promise<Body<P, "get">>;
  /**
   * Sends a body. If the response is lost, the request is not repeated.
   * @throws ApiError
   * @throws ConnectionError
   */
  readonly post: <P extends PathsOf<"post">>(
    path: P,
    ...init: Init<P, "post">
  ) => Promise<Body<P, "post">>;
  /**
   * Reads a file: the QR code of an eSIM, or a report.
   * @throws ApiError
   * @throws ConnectionError
   */
  readonly download: <P extends PathsOf<"get">>(path: P, ...init: Init<P, "get">) => Promise<Blob>;
  /** Sends a purchase. If the response is lost, the request is repeated. */
  readonly postPurchase: (path: string, body: object, signal?: AbortSignal) => Promise<unknown>;
}

export interface CallsOptions extends TransportOptions {
  /** Base URL of the gateway without `/v1`, for example `http://127.0.0.1:8787`. */
  readonly baseUrl: string;
}

type UntypedMethod = (path: string, init: object) => Promise<{ data?: unknown }>;

export function createCalls(options: CallsOptions): Calls {
  const send = createTransport(options);
  const { GET, POST } = createClient<paths>({
    baseUrl: options.baseUrl,
    headers: { accept: "application/json" },
    fetch: (request) => send(request, request.method === "GET"),
    // A redirect would turn a POST into a GET.
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
