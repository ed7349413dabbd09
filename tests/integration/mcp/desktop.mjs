// A headless desktop of the test's own, by `deskmark desktop`.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { binary } from './server.mjs';

const run = promisify(execFile);

export async function startDesktop(size = '1440x900') {
  const runtime = await mkdtemp(join(tmpdir(), 'deskmark-mcp-'));
  const outside = { ...process.env, XDG_RUNTIME_DIR: runtime };
  const { stdout } = await run(binary, ['desktop', 'start', '--size', size, '--json'], { env: outside });
  const told = JSON.parse(stdout);
  const env = { ...outside, ...told.env };
  for (const name of told.unset) delete env[name];
  return {
    env,
    async stop() {
      await run(binary, ['desktop', 'stop', '--display', told.display], { env: outside });
      await rm(runtime, { recursive: true, force: true });
    },
  };
}
