// The built server over its standard input and output, message by message.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noDisplay, withServer } from './server.mjs';

test('handshake in every supported version, newest for an unknown one', async () => {
  for (const version of ['2025-11-25', '2025-06-18', '2024-11-05']) {
    await withServer(noDisplay, async (server) => {
      const { result } = await server.initialize(version);
      assert.equal(result.protocolVersion, version);
      assert.equal(result.serverInfo.name, 'deskmark');
      assert.match(result.serverInfo.version, /^\d+\.\d+\.\d+$/);
      const list = await server.ask({ id: 1, method: 'tools/list' });
      assert.deepEqual(list.result.tools.map((tool) => tool.name), ['computer_use']);
      assert.equal('annotations' in list.result.tools[0], version !== '2024-11-05');
    });
  }
  await withServer(noDisplay, async (server) => {
    assert.equal((await server.initialize('1999-01-01')).result.protocolVersion, '2025-11-25');
  });
});

test('malformed input is answered with its code and the server goes on', async () => {
  await withServer(noDisplay, async (server) => {
    const cases = [
      ['{"jsonrpc":"2.0","id":1,', -32700],
      ['hello', -32700],
      [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), -32700],
      ['[]', -32600],
      ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
      ['42', -32600],
      ['{"id":1,"method":"ping"}', -32600],
      ['{"jsonrpc":"2.0","id":1,"method":"no/such"}', -32601],
      ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"other_tool"}}', -32602],
      ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}', -32602],
      ['{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}', -32602],
      ['['.repeat(100000), -32600],
    ];
    for (const [line, code] of cases) {
      server.raw(line);
      server.raw('\n');
      assert.equal((await server.next()).error?.code, code, String(line).slice(0, 60));
    }
    server.raw('\n\r\n   \n');
    assert.deepEqual((await server.ask({ id: 'still here', method: 'ping' })).result, {});
    assert.deepEqual(await server.close(), { code: 0, signal: null });
  });
});

test('a line of 20 MiB is refused', async () => {
  await withServer(noDisplay, async (server) => {
    server.raw('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"' + 'x'.repeat(20 << 20) + '"}}\n');
    assert.equal((await server.next()).error.code, -32600);
    assert.equal((await server.ask({ id: 2, method: 'ping' })).id, 2);
  });
});

test('refusals are answers; only invalid requests and faults are errors', async () => {
  await withServer(noDisplay, async (server) => {
    await server.initialize();
    server.call(1, { action: 'capture' });
    const { result: noCapture } = await server.next();
    assert.equal(noCapture.structuredContent.ok, false);
    assert.equal(noCapture.structuredContent.code, 'display_unavailable');
    assert.equal(noCapture.isError, false);
    assert.ok(noCapture.content[0].text.includes('display_unavailable'));

    for (const args of [{ action: 'clik' }, { action: 'click' }, { action: 'wait', seconds: 'two' }, { action: 'capture', colour: 1 }, [], 'capture']) {
      server.call(2, args);
      const { result } = await server.next();
      assert.equal(result.structuredContent.code, 'invalid_request', JSON.stringify(args));
      assert.equal(result.isError, true);
      assert.ok(!('error' in result.structuredContent));
    }
  });
});

test('a cancelled call is not answered, later ones are', async () => {
  await withServer(noDisplay, async (server) => {
    await server.initialize();
    server.call('long', { action: 'wait', seconds: 30 });
    server.call('queued', { action: 'wait', seconds: 30 });
    assert.equal((await server.ask({ id: 'p', method: 'ping' })).id, 'p');
    server.send({ method: 'notifications/cancelled', params: { requestId: 'queued' } });
    server.send({ method: 'notifications/cancelled', params: { requestId: 'long' } });
    server.call('next', { action: 'wait', seconds: 0.01 });
    assert.equal((await server.next(5000)).id, 'next');
    assert.deepEqual(await server.close(), { code: 0, signal: null });
    assert.equal(await server.next(), undefined);
  });
});

test('calls are answered in order', async () => {
  await withServer(noDisplay, async (server) => {
    for (const [id, seconds] of [[1, 0.2], [2, 0], [3, 0.05]]) server.call(id, { action: 'wait', seconds });
    for (const id of [1, 2, 3]) assert.equal((await server.next()).id, id);
  });
});

test('the end of the input ends the server after it answered', async () => {
  await withServer(noDisplay, async (server) => {
    server.call(1, { action: 'wait', seconds: 0.3 });
    const ended = server.close();
    assert.equal((await server.next()).id, 1);
    assert.deepEqual(await ended, { code: 0, signal: null });
  });
});

test('signals end it cleanly, also in the middle of a call', async () => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    await withServer(noDisplay, async (server) => {
      await server.initialize();
      server.call(1, { action: 'wait', seconds: 30 });
      assert.equal((await server.ask({ id: 'p', method: 'ping' })).id, 'p');
      server.process.kill(signal);
      assert.deepEqual(await server.exited, { code: 0, signal: null });
    });
  }
});

test('a client that stops reading does not keep it', async () => {
  await withServer(noDisplay, async (server) => {
    await server.initialize();
    server.call(1, { action: 'wait', seconds: 30 });
    server.process.stdout.destroy();
    server.process.stdin.destroy();
    assert.deepEqual(await server.exited, { code: 0, signal: null });
  });
});

test('reply forms', async () => {
  for (const [form, structured] of [['both', true], ['compact', false], ['structured', true]]) {
    await withServer([...noDisplay, '--reply', form], async (server) => {
      await server.initialize();
      server.call(1, { action: 'wait', seconds: 0 });
      const { result } = await server.next();
      assert.equal('structuredContent' in result, structured);
      assert.equal(result.content[0].type, 'text');
    });
  }
});
