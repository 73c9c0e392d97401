import { type ComponentType, createElement, Suspense, use } from "react";
import { gatewayIsThere } from "./gateway-is-there.ts";

/** A component whose script is loaded when it is first shown, or earlier. */
export type LateComponent<Props> = ComponentType<Props> & {
  /** Loads it once, when the gateway is reachable. */
  readonly load: () => Promise<unknown>;
};

/**
 * Excludes a component from the page's first scripts. A loaded component renders at once; before that it
 * renders nothing.
 */
export function late<Props extends object>(
  bring: () => Promise<ComponentType<Props>>,
): LateComponent<Props> {
  const Part = latePart(bring);
  function Late(props: Props) {
    return (
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    );
  }
  return Object.assign(Late, { load: Part.load });
}

/** Like `late`, for a part without which its surroundings do not render either, such as a dialog's only field. */
export function latePart<Props extends object>(
  bring: () => Promise<ComponentType<Props>>,
): LateComponent<Props> {
  let there: ComponentType<Props> | undefined;
  let coming: Promise<ComponentType<Props>> | undefined;

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

  function Fetched(props: Props) {
    return createElement(there ?? use(load()), props);
  }

  return Object.assign(Fetched, { load });
}
