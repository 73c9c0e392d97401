import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** A received mail: recipients of the envelope, and the text with its headers. */
export interface ArrivedMail {
  readonly to: readonly string[];
  readonly source: string;
}

export interface MailServerInTest {
  readonly port: number;
  readonly mails: ArrivedMail[];
  /**
   * Refuses every mail from now on, until called with undefined.
   * @param words text of the refusal
   * @param responseCode default is 550, which is permanent
   */
  refuse(words: string | undefined, responseCode?: number, at?: RefusedAt): void;
  close(): Promise<void>;
}

type RefusedAt = "MAIL FROM" | "RCPT TO" | "DATA";

interface HowItTakesMail {
  /** Returns true for a recipient that the server refuses permanently, before the mail's text. */
  refuses?: (address: string) => boolean;
  /**
   * Runs after receiving a mail and before confirming it. If it throws, the server refuses the
   * mail.
   */
  beforeAnswer?: () => Promise<unknown>;
}

/** Starts a real SMTP server on this machine, for the user `shop` with the password `secret`. */
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
