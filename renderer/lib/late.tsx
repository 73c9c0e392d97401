import { type ComponentType, createElement, Suspense, use } from "react";
import { gatewayIsThere } from "./gateway-is-there.ts";

export type LateComponent<Props> = ComponentType<Props> & {
  readonly load: () => Promise<unknown>;
};

const AGAIN_MS = 1_000;

/**
 * Excludes a component from the page's first scripts.
 * @param Awaited replaces the component until its script is loaded; nothing by default
 */
export function late<Props extends object>(
  bring: () => Promise<ComponentType<Props>>,
  Awaited?: ComponentType,
): LateComponent<Props> {
  const Part = latePart(bring);
  function Late(props: Props) {
    return (
      <Suspense fallback={Awaited ? <Awaited /> : null}>
        <Part {...props} />
      </Suspense>
    );
  }
  return Object.assign(Late, { load: Part.load });
}

/**
 * Like `late`, but the surrounding component waits for this part, such as a dialog for its only
 * field.
 */
export function latePart<Props extends object>(
  bring: () => Promise<ComponentType<Props>>,
): LateComponent<Props> {
  let there: ComponentType<Props> | undefined;
  let coming: Promise<ComponentType<Props>> | undefined;
  let loaded: Promise<ComponentType<Props>> | undefined;

  function load(): Promise<ComponentType<Props>> {
    coming ??= gatewayIsThere()
      .then(bring)
      .then(
        (component) => {
          there = component;
          return component;
        },
        (error: unknown) => {
          coming = undefined;
          throw error;
        },
      );
    return coming;
  }

  /** Retries with pauses, and never rejects: the part stays suspended. */
  async function untilLoaded(): Promise<ComponentType<Props>> {
    while (true) {
      try {
        return await load();
      } catch {
        await new Promise((again) => setTimeout(again, AGAIN_MS));
      }
    }
  }

  function Fetched(props: Props) {
    if (!there) loaded ??= untilLoaded();
    return createElement(there ?? use(loaded as Promise<ComponentType<Props>>), props);
  }

  return Object.assign(Fetched, { load });
}
