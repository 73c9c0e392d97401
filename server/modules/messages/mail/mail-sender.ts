import type { Readable } from "node:stream";

export interface MailServer {
  host: string;
  port: number;
  security: "TLS" | "STARTTLS" | "NONE";
  user: string;
  password: string;
  from: string;
}

interface Mail {
  /** The same for all attempts, so that duplicates can be detected. */
  mailId: string;
  recipients: readonly string[];
  subject: string;
  text: string;
  attachments?: readonly Attachment[];
}

export interface Attachment {
  name: string;
  content: Readable | Uint8Array;
}

const TIMEOUT_MS = 20_000;

/** @throws the error of the server or of the connection */
export async function sendMail(server: MailServer, mail: Mail): Promise<void> {
  const { host, port, security, user, password, from } = server;
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    host,
    port,
    secure: security === "TLS",
    requireTLS: security === "STARTTLS",
    ignoreTLS: security === "NONE",
    ...(user !== "" && { auth: { user, pass: password } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  const { mailId, recipients, subject, text, attachments = [] } = mail;
  try {
    await transport.sendMail({
      from,
      to: [...recipients],
      subject,
      text,
      messageId: `<${mailId}@tillgate.invalid>`,
      attachments: attachments.map(({ name, content }) => ({
        filename: name,
        content: content instanceof Uint8Array ? Buffer.from(content) : content,
      })),
    });
  } finally {
    transport.close();
  }
}
