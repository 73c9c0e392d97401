import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { useConnection } from "../lib/connection-store.ts";
import { newQueryClient } from "../lib/testing/reset-page.ts";
import { LiveEvents } from "./shell.tsx";

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
  client = newQueryClient();
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", StreamStandIn);
  StreamStandIn.streams = [];
});

interface Place {
  readonly training: boolean;
  readonly environment: "test" | "live";
}

let client: QueryClient;

function Till({ place }: { readonly place: Place }) {
  return (
    <QueryClientProvider client={client}>
      <LiveEvents place={place} />
      <output>{useConnection()}</output>
    </QueryClientProvider>
  );
}

function listen() {
  const { rerender } = render(<Till place={{ training: false, environment: "live" }} />);
  return {
    moveTo: (place: Place) => rerender(<Till place={place} />),
    connection: () => screen.getByRole("status").textContent,
  };
}

function tell(event: "open" | "error"): void {
  act(() => void StreamStandIn.streams.at(-1)?.dispatchEvent(new Event(event)));
}

function wait(milliseconds: number): void {
  act(() => void vi.advanceTimersByTime(milliseconds));
}

it("starting training ends the stream, and reports no lost connection", () => {
  const { connection, moveTo } = listen();
  tell("open");
  tell("error");
  moveTo({ training: true, environment: "live" });
  expect(StreamStandIn.streams).toHaveLength(2);
  tell("open");
  wait(10_000);
  expect(connection()).toBe("online");
});

it("going live ends the stream, and reports no lost connection", () => {
  const { connection, moveTo } = listen();
  tell("open");
  tell("error");
  moveTo({ training: false, environment: "test" });
  expect(StreamStandIn.streams).toHaveLength(2);
  tell("open");
  wait(10_000);
  expect(connection()).toBe("online");
});

it("a stream that is interrupted for a second is reported as a lost connection until its next message", () => {
  const { connection } = listen();
  tell("open");
  tell("error");
  wait(999);
  tell("error");
  expect(connection()).toBe("online");
  wait(1);
  expect(connection()).toBe("reconnecting");
  tell("open");
  expect(connection()).toBe("online");
});
