// One `deskmark mcp` process, spoken to over stdio.
import { spawn, execFileSync } from 'node:child_process'
import { createInterface } from 'node:readline'

export class Deskmark {
  constructor(binary, env, args = []) {
    this.child = spawn(binary, ['mcp', ...args], { env, stdio: ['pipe', 'pipe', 'ignore'] })
    this.waiting = new Map()
    this.id = 0
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const message = JSON.parse(line)
      this.waiting.get(message.id)?.(message)
      this.waiting.delete(message.id)
    })
  }

  send(method, params) {
    const id = ++this.id
    this.child.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\n')
    return new Promise((resolve) => this.waiting.set(id, resolve))
  }

  async start() {
    const info = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '1' } }
    await this.send('initialize', info)
    this.child.stdin.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }) + '\n')
  }

  async call(args) {
    const reply = await this.send('tools/call', { name: 'computer_use', arguments: args })
    return { body: reply.result?.structuredContent, content: reply.result?.content ?? [] }
  }

  stop() {
    this.child.stdin.end()
  }
}

export function coldCapture(binary, env, windowId) {
  const start = performance.now()
  execFileSync(binary, ['capture', '--window-id', String(windowId), '--out', '/dev/null', '--json'], { env, stdio: 'ignore' })
  return performance.now() - start
}
