/**
 * Restricts pages of the shell, following Electron's security checklist
 * (https://www.electronjs.org/docs/latest/tutorial/security): they show the gateway's own pages and nothing
 * else. Applies to all web contents, not only the till's window.
 */
import type { Session, WebContents, WebPreferences } from "electron/main";

/** Trusted origins. A dev server exists only in development. */
export interface Trust {
  readonly gateway: string;
  readonly devServer?: string;
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Returns the origin of a development server on this machine; undefined for any other URL. */
export function devServerOrigin(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) {
    return undefined;
  }
  const { protocol, hostname, origin } = new URL(url);
  return protocol === "http:" && LOOPBACK.has(hostname) ? origin : undefined;
}

/** Returns whether `url` is one of our pages. A `blob:` URL has the origin of the page that created it. */
export function isTrusted(url: string, trust: Trust): boolean {
  if (!URL.canParse(url)) {
    return false;
  }
  const { origin } = new URL(url);
  return origin === trust.gateway || origin === trust.devServer;
}

/** Returns whether a request is permitted: our pages, data inside a page, and hot reload. */
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
 * Policy of every response, in addition to the gateway's own: both must permit. Mantine writes its variables
 * into style elements, hence `unsafe-inline` for styles only.
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

/** Denies all permissions and requests to other origins, and adds the policy to every response. */
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

/** Adds the policy to an existing one; browsers enforce all of them. */
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
 * Blocks navigation to other origins and second windows. A link to the web opens nowhere yet: help pages will
 * need a list of https addresses for `shell.openExternal`.
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
