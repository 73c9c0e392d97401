/**
 * Tracks timers and listeners of the page and nodes in `body` and `head`. A test that leaves such a
 * resource behind fails, because all test files of a worker share one page.
 */

type Kind = "timer" | "frame" | "listener" | "node";

interface Resource {
  readonly kind: Kind;
  readonly name: string;
  /** Stack of the call that created the resource; undefined for nodes. */
  readonly origin: { stack?: string } | undefined;
  readonly release: () => void;
}

/**
 * Resources that a library or module keeps for as long as the page lives, by the file that creates
 * them.
 */
const KEPT: readonly { readonly kind: Kind; readonly by: RegExp }[] = [
  // React attaches all event types to a root or portal container once and never removes them.
  { kind: "listener", by: /node_modules\/react-dom\// },
  // user-event tracks selection and focus in each document that it prepares, once.
  { kind: "listener", by: /node_modules\/@testing-library\/user-event\// },
  // jsdom uses timers for `AbortSignal.timeout`, and for frames after the first request for a
  // frame.
  { kind: "timer", by: /node_modules\/jsdom\// },
  // This module listens for keys from its import on.
  { kind: "listener", by: /renderer\/lib\/open-dialogs\.ts/ },
];

/**
 * React Query delays retries and the removal of unused entries with timeouts that nothing cancels.
 * The tracker ends these timeouts without a report.
 */
const ENDED = /Object\.setTimeout .*node_modules\/@tanstack\/query-core\//;

const KEPT_NODES = [
  // Mantine renders all portals into one shared node and reuses it.
  "[data-mantine-shared-portal-node]",
].join();

const REPORTED_FRAMES = 4;

const MAX_FRAMES = 10;

/**
 * Media query that never matches, for jsdom, which has no media queries. Its listeners are tracked.
 */
export class MediaQueryStandIn extends EventTarget {
  readonly matches = false;
  readonly onchange = null;
  readonly media: string;

  constructor(media: string) {
    super();
    this.media = media;
  }
}

type AnyFunction = (...args: never[]) => unknown;

class LeakTracker {
  readonly #resources = new Map<unknown, Resource>();
  readonly #listeners = new WeakMap<object, WeakMap<object, Map<string, symbol>>>();

  constructor() {
    const numberOf = (id: unknown) => `timer ${Number(id)}`;
    this.#trackTimer("setTimeout", "clearTimeout", numberOf, { kind: "timer", isOnce: true });
    this.#trackTimer("setInterval", "clearInterval", numberOf, { kind: "timer", isOnce: false });
    const frameOf = (id: unknown) => `frame ${String(id)}`;
    this.#trackTimer("requestAnimationFrame", "cancelAnimationFrame", frameOf, {
      kind: "frame",
      isOnce: true,
    });
    this.#trackTimer("requestIdleCallback", "cancelIdleCallback", (id) => `idle ${String(id)}`, {
      kind: "timer",
      isOnce: true,
    });
    const targets: object[] = [EventTarget.prototype, document, window];
    if (document.defaultView) targets.push(document.defaultView);
    for (const holder of new Set(targets.map(findListenerHolder))) {
      this.#trackListeners(holder);
    }
  }

  mark(): ReadonlySet<unknown> {
    return new Set<unknown>([...this.#resources.keys(), ...pageNodes()]);
  }

  /**
   * Returns a description of each resource that was created after the mark and still exists.
   * Releases the resource, so that only one test reports it.
   */
  takeLeaks(mark: ReadonlySet<unknown>): readonly string[] {
    for (const [key, resource] of this.#resources) {
      if (!mark.has(key) && resource.kind === "timer" && ENDED.test(framesOf(resource)[0] ?? "")) {
        this.#resources.delete(key);
        resource.release();
      }
    }
    const resources = [...this.#resources]
      .filter(([key, resource]) => !mark.has(key) && !isKept(resource))
      .map(([key, resource]) => {
        this.#resources.delete(key);
        return resource;
      });
    const nodes = pageNodes()
      .filter((node) => !mark.has(node) && !(node instanceof Element && node.matches(KEPT_NODES)))
      .map((node) => ({
        kind: "node" as const,
        name: describeNode(node),
        origin: undefined,
        release: () => node.remove(),
      }));
    const leaks: readonly Resource[] = [...resources, ...nodes];
    for (const { release } of leaks) release();
    return leaks.map(describe);
  }

  #trackTimer(
    start: "setTimeout" | "setInterval" | "requestAnimationFrame" | "requestIdleCallback",
    stop: "clearTimeout" | "clearInterval" | "cancelAnimationFrame" | "cancelIdleCallback",
    keyOf: (id: unknown) => string,
    { kind, isOnce }: { readonly kind: Kind; readonly isOnce: boolean },
  ): void {
    const page = globalThis as unknown as Record<string, AnyFunction | undefined>;
    const nativeStart = page[start] as ((...args: unknown[]) => unknown) | undefined;
    const nativeStop = page[stop] as ((id: unknown) => void) | undefined;
    if (!nativeStart || !nativeStop) return;
    const tracked = (callback: AnyFunction, ...rest: unknown[]) => {
      const id = nativeStart(
        (...args: never[]) => {
          if (isOnce) this.#resources.delete(keyOf(id));
          return callback(...args);
        },
        ...rest,
      );
      const name = typeof rest[0] === "number" ? `${start}(…, ${rest[0]})` : start;
      const origin = captureOrigin(tracked);
      this.#resources.set(keyOf(id), { kind, name, origin, release: () => nativeStop(id) });
      return id;
    };
    page[start] = tracked;
    page[stop] = (id: unknown) => {
      this.#resources.delete(keyOf(id));
      nativeStop(id);
    };
  }

  #trackListeners(holder: EventTarget): void {
    const nativeAdd = holder.addEventListener;
    const nativeRemove = holder.removeEventListener;
    const forget = this.#forgetListener.bind(this);
    const remember = this.#rememberListener.bind(this);
    holder.addEventListener = function add(
      this: EventTarget | undefined,
      type: string,
      listener: EventListenerOrEventListenerObject | null,
      options?: AddEventListenerOptions | boolean,
    ) {
      const target = this ?? globalThis;
      const name = nameOfTarget(target);
      if (name !== undefined && listener) {
        const { once, signal } = typeof options === "object" ? options : {};
        if (signal?.aborted) return;
        const capture = isCapture(options);
        const end = () => forget(target, type, listener, capture);
        remember(target, type, listener, capture, {
          kind: "listener",
          name: `listener of "${type}" on ${name}`,
          origin: captureOrigin(add),
          release: () => nativeRemove.call(target, type, listener, { capture }),
        });
        if (once) nativeAdd.call(target, type, end, { once: true, capture });
        signal?.addEventListener("abort", end, { once: true });
      }
      nativeAdd.call(target, type, listener, options);
    };
    holder.removeEventListener = function remove(
      this: EventTarget | undefined,
      type: string,
      listener: EventListenerOrEventListenerObject | null,
      options?: EventListenerOptions | boolean,
    ) {
      const target = this ?? globalThis;
      if (listener) forget(target, type, listener, isCapture(options));
      nativeRemove.call(target, type, listener, options);
    };
  }

  #rememberListener(
    target: object,
    type: string,
    listener: object,
    capture: boolean,
    resource: Resource,
  ): void {
    const keys = this.#keysOf(target, listener);
    const name = `${type} ${capture}`;
    const key = keys.get(name) ?? Symbol(name);
    keys.set(name, key);
    // A browser ignores a listener that is added twice.
    if (!this.#resources.has(key)) this.#resources.set(key, resource);
  }

  #forgetListener(target: object, type: string, listener: object, capture: boolean): void {
    const keys = this.#keysOf(target, listener);
    const name = `${type} ${capture}`;
    this.#resources.delete(keys.get(name));
    keys.delete(name);
  }

  #keysOf(target: object, listener: object): Map<string, symbol> {
    const page = isWindow(target) ? globalThis : target;
    const ofTarget = this.#listeners.get(page) ?? new WeakMap<object, Map<string, symbol>>();
    this.#listeners.set(page, ofTarget);
    const ofListener = ofTarget.get(listener) ?? new Map<string, symbol>();
    ofTarget.set(listener, ofListener);
    return ofListener;
  }
}

function findListenerHolder(target: object): EventTarget {
  let holder: object | null = target;
  while (holder && !Object.hasOwn(holder, "addEventListener")) {
    holder = Object.getPrototypeOf(holder) as object | null;
  }
  if (!holder) throw new Error("The page has no addEventListener");
  return holder as EventTarget;
}

function isCapture(options: EventListenerOptions | boolean | undefined): boolean {
  return typeof options === "object" ? options.capture === true : options === true;
}

function isWindow(target: unknown): boolean {
  return target === globalThis || target === document.defaultView;
}

/**
 * Names a global target, such as the window. Returns undefined for targets that end with their
 * node.
 */
function nameOfTarget(target: unknown): string | undefined {
  if (isWindow(target)) return "window";
  if (target === document) return "document";
  if (target === document.documentElement || target === document.body || target === document.head) {
    return `<${(target as Element).localName}>`;
  }
  return target instanceof MediaQueryStandIn ? `media query "${target.media}"` : undefined;
}

function captureOrigin(below: AnyFunction): { stack?: string } {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = MAX_FRAMES;
  const origin: { stack?: string } = {};
  Error.captureStackTrace(origin, below);
  Error.stackTraceLimit = limit;
  return origin;
}

function framesOf({ origin }: Resource): readonly string[] {
  return (origin?.stack ?? "").split("\n").filter((line) => line.trimStart().startsWith("at "));
}

function isKept(resource: Resource): boolean {
  const [caller = ""] = framesOf(resource);
  return KEPT.some(({ kind, by }) => kind === resource.kind && by.test(caller));
}

function pageNodes(): readonly ChildNode[] {
  return [...document.head.childNodes, ...document.body.childNodes];
}

function describeNode(node: ChildNode): string {
  const html = node instanceof Element ? node.outerHTML : `text "${node.textContent ?? ""}"`;
  const text = html.length > 120 ? `${html.slice(0, 120)}…` : html;
  return `node in <${node.parentElement?.localName}>: ${text}`;
}

function describe(resource: Resource): string {
  return [resource.name, ...framesOf(resource).slice(0, REPORTED_FRAMES)].join("\n  ");
}

const PAGE_KEY = Symbol.for("tillgate.leak-tracker");

export function getLeakTracker(): LeakTracker {
  const page = globalThis as { [PAGE_KEY]?: LeakTracker };
  page[PAGE_KEY] ??= new LeakTracker();
  return page[PAGE_KEY];
}
