import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { soundDelivered, useDeliveredSound } from "./delivered-sound.ts";

let heard: number[] = [];

class Tone extends EventTarget {
  readonly frequency = { value: 0 };
  connect<Node>(next: Node): Node {
    return next;
  }
  start(): void {
    heard.push(this.frequency.value);
  }
  stop(): void {
    this.dispatchEvent(new Event("ended"));
  }
}

class Audio {
  readonly currentTime = 0;
  readonly destination = {};
  createOscillator = () => new Tone();
  createGain = () => ({
    gain: { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined },
    connect: <Node>(next: Node) => next,
  });
  close = () => Promise.resolve();
}

beforeEach(() => {
  heard = [];
  vi.stubGlobal("AudioContext", Audio);
});

it("the sound is off by default, and consists of a low and then a high tone", () => {
  soundDelivered();
  expect(heard).toEqual([]);
  const { result } = renderHook(useDeliveredSound);
  act(() => result.current[1](true));
  expect(result.current[0]).toBe(true);
  // Switching the sound on plays the sound at once.
  const [low, high] = heard;
  expect(heard).toHaveLength(2);
  expect(high).toBeGreaterThan(low ?? Number.POSITIVE_INFINITY);
  soundDelivered();
  expect(heard).toEqual([low, high, low, high]);
});

it("the sound stays off after switching it off, and in a browser without sound", () => {
  const { result } = renderHook(useDeliveredSound);
  act(() => result.current[1](true));
  act(() => result.current[1](false));
  heard = [];
  soundDelivered();
  expect([result.current[0], heard]).toEqual([false, []]);
  act(() => result.current[1](true));
  heard = [];
  vi.unstubAllGlobals();
  expect(soundDelivered).not.toThrow();
  expect(heard).toEqual([]);
});
