// Tells Gatehouse what the agent does, as the hooks of real agents do. Reports are sent in order and nobody waits for them,
// except for the answer to a tool call, which may be a refusal.
import type { ScriptedReport } from './program.ts';
import { RunSocket } from './wire.ts';

/** How long an exit waits for reports that are on their way. */
const flushMs = 500;

export class Reporter {
  private readonly socket: RunSocket | null;
  private readonly session: string;
  private readonly marker: string | null;
  private sequence = 0;

  constructor(session: string, env: NodeJS.ProcessEnv) {
    const path = env['GATEHOUSE_RUN_SOCKET'];
    this.socket = path ? new RunSocket(path) : null;
    this.session = session;
    this.marker = env['GATEHOUSE_SESSION_ID'] ?? null;
  }

  send(report: ScriptedReport): void {
    void this.deliver(report);
  }

  /** @returns why the call is refused, or null. */
  async askAboutTool(name: string, input: Readonly<Record<string, unknown>>): Promise<string | null> {
    const answer = await this.deliver({ type: 'tool-called', name, input });
    const { json } = (answer ?? {}) as { json?: { decision?: string; reason?: string } };
    return json?.decision === 'deny' ? (json.reason ?? 'refused') : null;
  }

  async flush(): Promise<void> {
    const deadline = Date.now() + flushMs;
    while ((this.socket?.pending ?? 0) > 0 && Date.now() < deadline) await new Promise((done) => setTimeout(done, 5));
    this.socket?.close();
  }

  private async deliver(report: ScriptedReport): Promise<unknown> {
    this.sequence += 1;
    const gatehouse = { at: Date.now(), sequence: this.sequence, marker: this.marker };
    const event = { ...report, session: this.session, gatehouse };
    return (await this.socket?.request('hook', { runtime: 'scripted', event })) ?? null;
  }
}
