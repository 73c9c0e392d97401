import { type ComponentType, createElement, Suspense, use } from "react";
import { gatewayIsThere } from "./gateway-is-there.ts";

/** A component whose script is fetched when it is first shown, or ahead of that. */
export type LateComponent<Props> = ComponentType<Props> & {
  /** Fetches it, once, as soon as the gateway is there. */
  readonly load: () => Promise<unknown>;
};

/**
 * Keeps a component out of the first scripts of the page. Once it was fetched it is drawn at once, as any
 * other; before that there is nothing in its place.
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

/** The same for a part without which what it stands in is not drawn either: a dialog with its only field. */
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
