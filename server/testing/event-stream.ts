export interface StreamedEvent {
  id: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came.
  data: any;
}

export interface EventStream {
  response: Response;
  next(event: string, fits?: (data: StreamedEvent["data"]) => boolean): Promise<StreamedEvent>;
  all(): AsyncGenerator<StreamedEvent, undefined>;
  rest(): Promise<StreamedEvent[]>;
  leave(): Promise<void>;
}

export async function followEvents(
  url: string,
  cookie: string,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const abort = new AbortController();
  const response = await fetch(`${url}/pos/events`, {
    headers: { cookie, accept: "text/event-stream", ...headers },
    signal: abort.signal,
  });
  const events = readEvents(response);
  return {
    response,
    async next(name, fits = () => true) {
      for (;;) {
        const { value, done } = await events.next();
        if (done) throw new Error(`the stream ended before an event ${name}`);
        if (value.event === name && fits(value.data)) return value;
      }
    },
    all: () => events,
    async rest() {
      const all: StreamedEvent[] = [];
      for (let step = await events.next(); !step.done; step = await events.next()) {
        all.push(step.value);
      }
      return all;
    },
    async leave() {
      abort.abort();
    },
  };
}

async function* readEvents(response: Response): AsyncGenerator<StreamedEvent, undefined> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const event: StreamedEvent = { id: "", event: "", data: undefined };
      for (const line of block.split("\n")) {
        const [, field, value = ""] = /^(id|event|data): ?(.*)$/.exec(line) ?? [];
        if (field === "id") event.id = value;
        if (field === "event") event.event = value;
        if (field === "data") event.data = JSON.parse(value);
      }
      if (event.event !== "") yield event;
    }
  }
  return undefined;
}
