// The TypeScript SDK as the client.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { binary, noDisplay } from './server.mjs';

async function withClient(args, body) {
  const transport = new StdioClientTransport({ command: binary, args: ['mcp', ...args], stderr: 'pipe', env: process.env });
  const client = new Client({ name: 'deskmark-test', version: '1.0.0' });
  const faults = [];
  client.onerror = (error) => faults.push(error);
  await client.connect(transport);
  try {
    await body(client);
  } finally {
    await client.close();
  }
  assert.deepEqual(faults, []);
}

const call = (client, args, options) => client.callTool({ name: 'computer_use', arguments: args }, undefined, options);

test('connects, lists the tool, its schema is the source', async () => {
  await withClient(noDisplay, async (client) => {
    assert.equal(client.getServerVersion().name, 'deskmark');
    assert.match(client.getInstructions(), /untrusted/);
    assert.deepEqual(client.getServerCapabilities(), { tools: {} });
    await client.ping();
    const { tools } = await client.listTools();
    assert.equal(tools.length, 1);
    const source = JSON.parse(readFileSync(new URL('../../../schema/computer_use.json', import.meta.url)));
    assert.deepEqual(tools[0].inputSchema, source);
    assert.equal(JSON.stringify(tools[0].inputSchema), JSON.stringify(source));
    assert.equal(tools[0].annotations.destructiveHint, true);
  });
});

test('a refusal is a result, a wrong request an error result, an unknown tool a protocol error', async () => {
  await withClient(noDisplay, async (client) => {
    const refused = await call(client, { action: 'capture' });
    assert.equal(refused.isError, false);
    assert.equal(refused.structuredContent.code, 'display_unavailable');
    const wrong = await call(client, { action: 'scroll', amount: 99 });
    assert.equal(wrong.isError, true);
    assert.match(wrong.content[0].text, /amount: expected an integer from 1 to 50, got 99/);
    await assert.rejects(client.callTool({ name: 'nothing', arguments: {} }), { code: -32602 });
  });
});

test('abort cancels the call in flight', async () => {
  await withClient(noDisplay, async (client) => {
    const abort = new AbortController();
    const waiting = call(client, { action: 'wait', seconds: 30 }, { signal: abort.signal });
    await client.ping();
    abort.abort('enough');
    await assert.rejects(waiting);
    const started = Date.now();
    assert.equal((await call(client, { action: 'wait', seconds: 0 })).structuredContent.ok, true);
    assert.ok(Date.now() - started < 10000);
  });
});

test('progress keeps a long wait alive beyond the client\'s time-out', async () => {
  await withClient(noDisplay, async (client) => {
    const seen = [];
    const result = await call(client, { action: 'wait', seconds: 3.5 }, {
      timeout: 2500,
      resetTimeoutOnProgress: true,
      onprogress: (progress) => seen.push(progress),
    });
    assert.equal(result.structuredContent.ok, true);
    assert.ok(seen.length >= 2);
    assert.equal(seen[0].total, 3.5);
    for (let i = 1; i < seen.length; ++i) assert.ok(seen[i].progress > seen[i - 1].progress);
  });
});
