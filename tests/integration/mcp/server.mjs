// Starts the built server and talks to it line by line, as a client without an SDK does.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export const binary = process.env.DESKMARK_BINARY ?? fileURLToPath(new URL('../../../build/deskmark', import.meta.url));

/// A display that nothing serves.
export const noDisplay = ['--display', ':4242'];

export class Server {
  constructor(args = noDisplay) {
    this.process = spawn(binary, ['mcp', ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.exited = once(this.process, 'exit').then(([code, signal]) => ({ code, signal }));
    this.process.stdin.on('error', () => {});
    this.errors = '';
    this.process.stderr.on('data', (data) => (this.errors += data));
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }

  raw(text) {
    this.process.stdin.write(text);
  }

  send(message) {
    this.raw(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n');
  }

  /// The next line; whatever comes must be protocol.
  async next(milliseconds = 20000) {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no line came; stderr: ${this.errors}`)), milliseconds);
    });
    const { value, done } = await Promise.race([this.lines.next(), late]).finally(() => clearTimeout(timer));
    if (done) return undefined;
    const message = JSON.parse(value);
    if (message.jsonrpc !== '2.0') throw new Error(`not protocol: ${value}`);
    return message;
  }

  async ask(message) {
    this.send(message);
    return this.next();
  }

  call(id, args, meta) {
    this.send({ id, method: 'tools/call', params: { name: 'computer_use', arguments: args, ...(meta && { _meta: meta }) } });
  }

  async initialize(protocolVersion = '2025-11-25') {
    const answer = await this.ask({
      id: 'init',
      method: 'initialize',
      params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    });
    this.send({ method: 'notifications/initialized' });
    return answer;
  }

  /// Ends the input and gives how the process ended.
  async close() {
    this.process.stdin.end();
    return this.exited;
  }

  kill() {
    if (this.process.exitCode === null) this.process.kill('SIGKILL');
  }
}

export async function withServer(args, body) {
  const server = new Server(args);
  try {
    return await body(server);
  } finally {
    server.kill();
  }
}
