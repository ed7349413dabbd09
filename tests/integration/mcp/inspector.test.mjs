// The MCP inspector's command line as the client.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { binary, noDisplay } from './server.mjs';

const inspector = fileURLToPath(new URL('node_modules/.bin/mcp-inspector', import.meta.url));

async function inspect(method, ...options) {
  // The inspector takes what follows the command for the server's until an option of its own.
  const { stdout } = await promisify(execFile)(inspector, ['--cli', binary, 'mcp', ...noDisplay, '--method', method, ...options]);
  return JSON.parse(stdout);
}

test('tools/list', async () => {
  const { tools } = await inspect('tools/list');
  assert.deepEqual(tools.map((tool) => tool.name), ['computer_use']);
  assert.deepEqual(tools[0].inputSchema.required, ['action']);
});

test('tools/call', async () => {
  const result = await inspect('tools/call', '--tool-name', 'computer_use', '--tool-arg', 'action=wait', 'seconds=0.1');
  assert.equal(result.structuredContent.ok, true);
  assert.equal(result.isError, false);
});
