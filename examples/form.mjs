// An MCP client that fills in a form in Chromium by marks, in the background, and prints what deskmark saw of each step.
//
//   npm install && node form.mjs [--binary ../build/deskmark] [--page form.html]
//
// Run it on a desktop of its own: eval "$(deskmark desktop start)". It exits with 0 when the form arrived as it was meant.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const here = (name) => new URL(name, import.meta.url);
const { values: options } = parseArgs({ options: { binary: { type: 'string', default: 'deskmark' }, page: { type: 'string', default: 'form.html' } } });

// What is entered: the label a person sees, what is done there, and what the form must send.
const steps = [
  ['Name', { action: 'type', text: 'Zoë Müller' }, ['name', 'Zoë Müller']],
  ['Password', { action: 'set_value', value: 'correct horse' }, ['code', 'correct horse']],
  ['E-mail', { action: 'set_value', value: 'zoe@example.org' }, ['mail', 'zoe@example.org']],
  ['Web site', { action: 'type', text: 'https://example.org/ü' }, ['site', 'https://example.org/ü']],
  ['Telephone', { action: 'type', text: '+49 30 123' }, ['phone', '+49 30 123']],
  ['Search', { action: 'set_value', value: 'Привет' }, ['find', 'Привет']],
  ['Seats', { action: 'set_value', value: '4' }, ['seats', '4']],
  ['Volume', { action: 'set_value', value: '70' }, ['volume', '70']],
  // Dates and times have a mark for each part; a colour can only be picked, so it stays as it is.
  ['Month', { action: 'set_value', value: '12' }],
  ['Day', { action: 'set_value', value: '24' }],
  ['Year', { action: 'set_value', value: '2031' }, ['day', '2031-12-24']],
  ['Hours', { action: 'set_value', value: '6' }],
  ['Minutes', { action: 'set_value', value: '30' }],
  ['AM/PM', { action: 'type', text: 'AM' }, ['hour', '06:30']],
  ['Size', { action: 'set_value', value: 'Large' }, ['size', 'Large']],
  ['None', { action: 'click' }, ['meal', 'none']],
  ['Wireless', { action: 'set_value', value: 'on' }, ['wifi', 'yes']],
  ['Notes', { action: 'type', text: 'first line\nsecond line' }, ['notes', 'first line\r\nsecond line']],
];

/// Serves the page; `booked` is what is sent from it.
async function serve() {
  let arrived;
  const booked = new Promise((resolve) => (arrived = resolve));
  const server = createServer(async (request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (request.method === 'POST') {
      let body = '';
      for await (const part of request) body += part;
      arrived(new URLSearchParams(body));
      response.end('<title>Booked</title><h1>Thank you</h1>');
    } else {
      response.end(request.url === '/' ? await readFile(here(options.page)) : '');
    }
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  return { booked, address: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

function browse(address, home) {
  const flags = ['--no-first-run', '--no-sandbox', '--disable-gpu', '--password-store=basic', '--force-renderer-accessibility', '--window-size=900,640', `--user-data-dir=${home}`];
  return spawn('chromium', [...flags, address], { stdio: 'ignore' });
}

async function main() {
  const site = await serve();
  const home = await mkdtemp(join(tmpdir(), 'form-'));
  const browser = browse(site.address, home);
  const client = new Client({ name: 'form', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: options.binary, args: ['mcp', '--approve', 'background'], env: process.env }));
  const use = async (request) => (await client.callTool({ name: 'computer_use', arguments: request })).structuredContent;

  /// Captures until `found(capture)` gives something.
  async function look(found) {
    for (let i = 0; i < 60; ++i) {
      const capture = await use({ action: 'capture', app: 'Booking', mode: 'som' });
      const result = capture.ok && found(capture);
      if (result) return result;
      await new Promise((later) => setTimeout(later, 250));
    }
    throw new Error('it did not appear');
  }
  const mark = (label) => look((capture) => capture.elements.find((element) => element.label.startsWith(label)));
  const tell = (label, request, reply) => {
    const evidence = (reply.evidence ?? []).map(({ kind, before, after }) => `${kind}: ${before ?? ''} → ${after ?? ''}`).join(', ');
    console.log(`${label.padEnd(10)} ${request.action.padEnd(10)} ${(reply.effect ?? '').padEnd(13)} ${reply.code ?? reply.route ?? ''}  ${evidence}`);
  };

  try {
    await mark('Book it');
    for (const [label, request] of steps) {
      const element = await mark(label);
      tell(label, request, await use({ ...request, element: element.index }));
    }
    const button = await mark('Book it');
    tell('Book it', { action: 'click' }, await use({ action: 'click', element: button.index }));
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error('the form was not sent')), 5000).unref());
    const sent = await Promise.race([site.booked, late]);
    const wanted = steps.map(([, , pair]) => pair).filter(Boolean);
    const wrong = wanted.filter(([name, value]) => sent.get(name) !== value);
    for (const [name, value] of wrong) console.log(`wrong: ${name} is ${JSON.stringify(sent.get(name))}, not ${JSON.stringify(value)}`);
    console.log(wrong.length ? `${wrong.length} of ${wanted.length} fields are wrong` : `All ${wanted.length} fields arrived as they were meant.`);
    return wrong.length ? 1 : 0;
  } finally {
    await client.close();
    browser.kill();
    await new Promise((ended) => (browser.exitCode === null ? browser.once('exit', ended) : ended()));
    site.close();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

process.exitCode = await main();
