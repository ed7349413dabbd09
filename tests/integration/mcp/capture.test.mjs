// A real program on a desktop of its own, captured through the SDK and the inspector.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { startDesktop } from './desktop.mjs';
import { binary } from './server.mjs';

const app = 'gtk3-widget-factory';
let desktop;
let program;
let client;

const call = async (args) => (await client.callTool({ name: 'computer_use', arguments: args }));

before(async () => {
  desktop = await startDesktop();
  program = spawn(app, { stdio: 'ignore', env: desktop.env });
  client = new Client({ name: 'deskmark-test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: binary, args: ['mcp'], stderr: 'inherit', env: desktop.env }));
  const deadline = Date.now() + 30000;
  while (true) {
    const { structuredContent: reply } = await call({ action: 'list_windows' });
    if (reply.windows?.some((window) => window.pid === program.pid)) break;
    assert.ok(Date.now() < deadline, `no window of ${app} appeared: ${JSON.stringify(reply)}`);
    await call({ action: 'wait', seconds: 0.2 });
  }
});

after(async () => {
  await client?.close();
  program?.kill();
  await desktop?.stop();
});

/// Width and height in the header of a PNG.
function pngSize(base64) {
  const bytes = Buffer.from(base64, 'base64');
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test('som: picture, elements and text agree', async () => {
  const result = await call({ action: 'capture', mode: 'som', app });
  assert.equal(result.isError, false);
  const reply = result.structuredContent;
  assert.equal(reply.ok, true, JSON.stringify(reply));
  assert.equal(reply.pid, program.pid);
  const [text, image] = result.content;
  assert.equal(image.type, 'image');
  assert.equal(image.mimeType, 'image/png');
  assert.deepEqual(pngSize(image.data), [reply.width, reply.height]);
  assert.ok(reply.elements.length > 20, `${reply.elements.length} elements`);
  for (const { index, role, bounds: [x, y, w, h] } of reply.elements) {
    assert.ok(x >= 0 && y >= 0 && w > 0 && h > 0 && x + w <= reply.width && y + h <= reply.height, `#${index} lies off the picture`);
    assert.ok(text.text.includes(`#${index} ${role}`), `#${index} is not in the text`);
  }
  assert.ok(text.text.includes(`window_id ${reply.window_id}`));
  assert.ok(!JSON.stringify(reply).includes(image.data.slice(0, 200)), 'the picture is not in the structured content');
});

test('ax: text only', async () => {
  const result = await call({ action: 'capture', mode: 'ax', app });
  assert.equal(result.structuredContent.ok, true);
  assert.deepEqual(result.content.map((part) => part.type), ['text']);
  assert.ok(result.content[0].text.startsWith(result.structuredContent.tree));
});

test('vision: plain picture', async () => {
  const result = await call({ action: 'capture', mode: 'vision', app });
  const { width, height } = result.structuredContent;
  assert.deepEqual(pngSize(result.content[1].data), [width, height]);
});

test('inspector: a capture', async () => {
  const inspector = fileURLToPath(new URL('node_modules/.bin/mcp-inspector', import.meta.url));
  const { stdout } = await promisify(execFile)(
    inspector,
    ['--cli', binary, 'mcp', '--method', 'tools/call', '--tool-name', 'computer_use', '--tool-arg', 'action=capture', `app=${app}`],
    { maxBuffer: 64 << 20, env: desktop.env },
  );
  const result = JSON.parse(stdout);
  assert.equal(result.structuredContent.ok, true);
  assert.equal(result.content[1].type, 'image');
});
