// A conversation lies where the agent can write: what it puts in its place must neither be followed nor hold anybody up.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { opencodeTranscript } from '../../src/runtimes/opencode/transcript.ts';
import { readJsonLines } from '../../src/runtimes/json-lines.ts';

vi.setConfig({ testTimeout: 60_000 });

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'gh-hostile-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

it('lines: a pipe, a link and a hole of terabytes are no conversation', async () => {
  const path = join(home, 'c.jsonl');
  execFileSync('mkfifo', [path]);
  expect(await readJsonLines(path)).toEqual([]);
  rmSync(path);
  writeFileSync(join(home, 'secret.json'), '{"secret":1}\n');
  symlinkSync(join(home, 'secret.json'), path);
  expect(await readJsonLines(path)).toEqual([]);
  rmSync(path);
  writeFileSync(path, '{"line":1}\nhalf');
  expect(await readJsonLines(path)).toEqual([{ line: 1 }]);
  truncateSync(path, 4 * 1024 ** 4);
  expect(await readJsonLines(path)).toEqual([]);
});

const context = () => ({ runtimeSession: 's1', worktree: home, runtimeDir: home, env: { HOME: home } });
const database = () => join(home, '.local/share/opencode/opencode.db');

function makeDatabase(sql: string): void {
  mkdirSync(dirname(database()), { recursive: true });
  const made = new DatabaseSync(database());
  made.exec(sql);
  made.close();
}

const tables = `
  create table message (id text, session_id text, time_created integer, data text);
  create table part (id text, message_id text, session_id text, data text);
  insert into message values ('m1', 's1', 1, '{"role":"user"}');
  insert into part values ('p1', 'm1', 's1', '{"type":"text","text":"hello"}');`;

it('a database: says whether it holds the conversation, and reads it', async () => {
  makeDatabase(`create table session (id text); insert into session values ('s1'); ${tables}`);
  expect(await opencodeTranscript.locate(context())).toBe(database());
  expect(await opencodeTranscript.locate({ ...context(), runtimeSession: 's2' })).toBeNull();
  expect(await opencodeTranscript.read(database(), context())).toMatchObject([{ kind: 'user', text: 'hello' }]);
});

it('a database: a pipe in its place, rubbish, and a question that never ends hold nobody up', async () => {
  mkdirSync(dirname(database()), { recursive: true });
  execFileSync('mkfifo', [database()]);
  expect(await opencodeTranscript.locate(context())).toBe(database());
  rmSync(database());
  writeFileSync(database(), 'rubbish');
  expect(await opencodeTranscript.read(database(), context())).toEqual([]);
  rmSync(database());
  makeDatabase(
    `create view session as with recursive n(id) as (select 1 union all select id + 1 from n) select id from n; ${tables}`,
  );
  expect(await opencodeTranscript.locate(context())).toBe(database());
  expect(await opencodeTranscript.read(database(), context())).toHaveLength(1);
});
