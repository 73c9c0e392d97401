/**
 * Restricts all web contents to the gateway's pages, following Electron's security checklist
 * (https://www.electronjs.org/docs/latest/tutorial/security).
 */
import type { Session, WebContents, WebPreferences } from "electron/main";

export interface Trust {
  readonly gateway: string;
  readonly devServer?: string;
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

export function devServerOrigin(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) {
    return undefined;
  }
  const { protocol, hostname, origin } = new URL(url);
  return protocol === "http:" && LOOPBACK.has(hostname) ? origin : undefined;
}

/** Returns whether a URL has the origin of the gateway, as a `blob:` URL of its pages has. */
export function isTrusted(url: string, trust: Trust): boolean {
  if (!URL.canParse(url)) {
    return false;
  }
  const { origin } = new URL(url);
  return origin === trust.gateway || origin === trust.devServer;
}

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
    // The spell checker would fetch its dictionaries from a server.
    spellcheck: false,
    devTools: development,
  };
}

/**
 * Browsers enforce this policy in addition to the gateway's own. Mantine writes its variables into
 * style elements, so `unsafe-inline` is permitted for styles only.
 */
function contentSecurityPolicy(trust: Trust): string {
  const development = trust.devServer !== undefined;
  const hotReload = trust.devServer?.replace(/^http:/, "ws:");
  return [
    "default-src 'self'",
    // Vite's React plugin starts hot reload from an inline script.
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

/** Adds the policy to the response's own policies. Browsers enforce all of them. */
function withPolicy(headers: Record<string, string[]>, trust: Trust): Record<string, string[]> {
  const entries = Object.entries(headers);
  const isPolicy = ([name]: [string, unknown]) => name.toLowerCase() === "content-security-policy";
  const present = entries.filter(isPolicy).flatMap(([, values]) => values);
  return {
    ...Object.fromEntries(entries.filter((entry) => !isPolicy(entry))),
    "Content-Security-Policy": [...present, contentSecurityPolicy(trust)],
  };
}

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
