import { type ComponentType, createElement, Suspense, use } from "react";
import { gatewayIsThere } from "./gateway-is-there.ts";

export type LateComponent<Props> = ComponentType<Props> & {
  readonly load: () => Promise<unknown>;
};

/**
 * Excludes a component from the page's first scripts. The component renders nothing until its
 * script is loaded.
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

/**
 * Like `late`, but the surrounding component waits for this part, such as a dialog for its only
 * field.
 */
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
