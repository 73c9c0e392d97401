import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { setConnection, useConnection } from "../lib/connection-store.ts";
import { useLiveEvents } from "./live.ts";

/** The browser's stream, as far as the till listens to it; a test opens and breaks it. */
class StreamStandIn extends EventTarget {
  static readonly CLOSED = 2;
  static streams: StreamStandIn[] = [];
  readyState = 0;

  constructor() {
    super();
    StreamStandIn.streams.push(this);
  }

  close(): void {
    this.readyState = StreamStandIn.CLOSED;
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", StreamStandIn);
  StreamStandIn.streams = [];
  setConnection("online");
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

interface Place {
  readonly training: boolean;
  readonly environment?: "test" | "live";
}

function listen() {
  const beginning: Place = { training: false };
  const client = new QueryClient();
  return renderHook(
    ({ training, environment = "live" }: Place) => {
      useLiveEvents(training, environment);
      return useConnection();
    },
    {
      initialProps: beginning,
      wrapper: ({ children }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  );
}

function tell(event: "open" | "error"): void {
  act(() => void StreamStandIn.streams.at(-1)?.dispatchEvent(new Event(event)));
}

function wait(milliseconds: number): void {
  act(() => void vi.advanceTimersByTime(milliseconds));
}

it("beginning to train, which ends the stream, is no lost connection", () => {
  const { result, rerender } = listen();
  tell("open");
  tell("error");
  rerender({ training: true });
  expect(StreamStandIn.streams).toHaveLength(2);
  tell("open");
  wait(10_000);
  expect(result.current).toBe("online");
});

it("going live, which ends the stream, is no lost connection", () => {
  const { result, rerender } = listen();
  tell("open");
  tell("error");
  rerender({ training: false, environment: "test" });
  expect(StreamStandIn.streams).toHaveLength(2);
  tell("open");
  wait(10_000);
  expect(result.current).toBe("online");
});

it("a stream that stays away for a second is one, until it is heard again", () => {
  const { result } = listen();
  tell("open");
  tell("error");
  wait(999);
  tell("error");
  expect(result.current).toBe("online");
  wait(1);
  expect(result.current).toBe("reconnecting");
  tell("open");
  expect(result.current).toBe("online");
});
