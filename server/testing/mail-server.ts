import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** A mail as it arrived: whom the envelope names, and the whole text with its headers. */
export interface ArrivedMail {
  readonly to: readonly string[];
  readonly source: string;
}

export interface MailServerInTest {
  readonly port: number;
  readonly mails: ArrivedMail[];
  /**
   * Refuses every mail with these words, for good with 550, until it is called with none: whom it is from, whom it
   * is for, or the mail itself once it is there.
   */
  refuse(words: string | undefined, responseCode?: number, at?: RefusedAt): void;
  close(): Promise<void>;
}

type RefusedAt = "MAIL FROM" | "RCPT TO" | "DATA";

interface HowItTakesMail {
  /** Refuses an address for good, before it sees the mail. */
  refuses?: (address: string) => boolean;
  /** Waits between taking a mail and saying so; an error that comes of it is said instead. */
  beforeAnswer?: () => Promise<unknown>;
}

/** A real SMTP server on this machine, which takes mail of the user `shop` with the password `secret`. */
export async function startMailServer({
  refuses = () => false,
  beforeAnswer = async () => undefined,
}: HowItTakesMail = {}): Promise<MailServerInTest> {
  const mails: ArrivedMail[] = [];
  let refusal: (Error & { at: RefusedAt }) | undefined;
  const refusalAt = (at: RefusedAt) => (refusal?.at === at ? refusal : undefined);
  const answerLater = async (done: (error?: Error) => void) => {
    const refusedWith = await beforeAnswer();
    if (refusedWith instanceof Error) done(refusedWith);
    else done();
  };
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    authOptional: true,
    onAuth({ username, password }, _session, done) {
      if (username === "shop" && password === "secret") done(null, { user: username });
      else done(new Error("wrong name or password"));
    },
    onMailFrom(_address, _session, done) {
      done(refusalAt("MAIL FROM"));
    },
    onRcptTo({ address }, _session, done) {
      if (!refuses(address)) return done(refusalAt("RCPT TO"));
      done(Object.assign(new Error("no such person here"), { responseCode: 550 }));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const refused = refusalAt("DATA");
        if (refused) return done(refused);
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, source: Buffer.concat(parts).toString() });
        void answerLater(done);
      });
    },
  });
  // A sender that is killed in the middle is not this server's fault.
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    refuse: (words, responseCode = 450, at = "DATA") => {
      const error = new Error(words);
      refusal = words === undefined ? undefined : Object.assign(error, { responseCode, at });
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
