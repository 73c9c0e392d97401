/**
 * What a page in the shell may do, after Electron's security checklist
 * (https://www.electronjs.org/docs/latest/tutorial/security): show the gateway's own pages, and
 * nothing else. It holds for every web contents there is, not only for the till's window.
 */
import type { Session, WebContents, WebPreferences } from "electron/main";

/** The origins that are ours. A dev server exists only while the app is being developed. */
export interface Trust {
  readonly gateway: string;
  readonly devServer?: string;
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The origin of a development server on this very machine; of anything else, nothing. */
export function devServerOrigin(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) {
    return undefined;
  }
  const { protocol, hostname, origin } = new URL(url);
  return protocol === "http:" && LOOPBACK.has(hostname) ? origin : undefined;
}

/** Whether `url` is a page of ours. A `blob:` URL has the origin of the page that made it. */
export function isTrusted(url: string, trust: Trust): boolean {
  if (!URL.canParse(url)) {
    return false;
  }
  const { origin } = new URL(url);
  return origin === trust.gateway || origin === trust.devServer;
}

/** What may be requested from the network: our pages, data inside a page, and hot reload. */
function mayLoad(url: string, trust: Trust): boolean {
  if (isTrusted(url, trust) || url.startsWith("data:")) {
    return true;
  }
  if (trust.devServer === undefined) {
    return false;
  }
  return url.startsWith("devtools:") || isTrusted(url.replace(/^ws:/, "http:"), trust);
}

export function lockedPreferences(preload: string, development: boolean): WebPreferences {
  return {
    preload,
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webviewTag: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    navigateOnDragDrop: false,
    // The spell checker fetches its dictionaries from a server.
    spellcheck: false,
    devTools: development,
  };
}

/**
 * The policy sent with everything that is loaded, beside the gateway's own: both must allow.
 * Mantine writes its variables into style elements, hence `unsafe-inline` for styles alone.
 */
function contentSecurityPolicy(trust: Trust): string {
  const development = trust.devServer !== undefined;
  const hotReload = trust.devServer?.replace(/^http:/, "ws:");
  return [
    "default-src 'self'",
    // Vite's React plugin starts hot reload from a script inside the page.
    `script-src 'self'${development ? " 'unsafe-inline'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self'${hotReload === undefined ? "" : ` ${hotReload}`}`,
    "object-src 'none'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join("; ");
}

const lockedSessions = new WeakSet<Session>();

/** No permission of any kind, no request to another origin, a policy on every response. */
export function lockSession(session: Session, trust: Trust): void {
  if (lockedSessions.has(session)) {
    return;
  }
  lockedSessions.add(session);
  session.setPermissionRequestHandler((_contents, _permission, callback) => callback(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest(({ url }, callback) => {
    callback({ cancel: !mayLoad(url, trust) });
  });
  session.webRequest.onHeadersReceived(({ responseHeaders }, callback) => {
    callback({ responseHeaders: withPolicy(responseHeaders ?? {}, trust) });
  });
}

/** Adds the policy to one that is there already; browsers enforce each of several. */
function withPolicy(headers: Record<string, string[]>, trust: Trust): Record<string, string[]> {
  const entries = Object.entries(headers);
  const isPolicy = ([name]: [string, unknown]) => name.toLowerCase() === "content-security-policy";
  const present = entries.filter(isPolicy).flatMap(([, values]) => values);
  return {
    ...Object.fromEntries(entries.filter((entry) => !isPolicy(entry))),
    "Content-Security-Policy": [...present, contentSecurityPolicy(trust)],
  };
}

/**
 * No way out of our origin, no second window. A link to the web opens nowhere yet: when help pages
 * exist, their https addresses go to `shell.openExternal` by a list of their own.
 */
export function lockContents(contents: WebContents, trust: Trust): void {
  const stay = (event: { preventDefault(): void; readonly url: string }) => {
    if (!isTrusted(event.url, trust)) {
      event.preventDefault();
    }
  };
  contents.on("will-navigate", stay);
  contents.on("will-redirect", stay);
  contents.on("will-frame-navigate", stay);
  contents.on("will-attach-webview", (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: "deny" }));
}
