// Many messages to agents that are slow, lose Enter, or take nothing: what was not taken is never believed to be.
import { expect, test } from 'vitest';
import { caseSize } from '../support/case-size.ts';
import { Site, actor } from './site.ts';

const runs = 8;
const sends = caseSize({ usual: 48, full: 1_000 });

/** Most are taken sooner or later; some need a second Enter; few are lost, or taken without a report. */
function textOf(n: number): string {
  return `Message ${n}, ${fateOf(n)}, ${'and more '.repeat(n % 9)}to its end.`;
}

function fateOf(n: number): string {
  if (n % 100 === 50) return 'swallow';
  if (n % 100 === 73) return 'mute';
  if (n % 33 === 7) return 'deaf';
  return ['late', 'unseen', 'plain', 'plain'][n % 4] ?? 'plain';
}

test('C053: each of many messages to slow agents is confirmed, or reported as not submitted; none is taken twice', {
  timeout: 400_000,
}, async () => {
  await using site = await Site.open({
    config: { sandbox: 'off' },
    fixtures: { slow: { file: 'slow-composer.ts', kind: 'scripted' } },
  });
  const ids = await Promise.all(Array.from({ length: runs }, async () => (await site.fixture('slow')).id));
  for (const id of ids) await site.untilIdle(id);
  const client = await site.client();
  const sent = await Promise.all(
    Array.from({ length: sends }, async (_, n) => {
      const run = ids[n % runs] ?? '';
      const text = textOf(n);
      try {
        await client.request('run.send', { run, text, actor });
        return { run, text, said: 'submitted' };
      } catch (error) {
        const { code = '', message } = error as { code?: string; message: string };
        return { run, text, said: code, why: message };
      }
    }),
  );
  const taken = new Map(ids.map((id) => [id, site.truth(id).map((each) => String(each['text']))]));
  const wrong = sent.filter(({ run, text, said }) => {
    const times = taken.get(run)?.filter((each) => each === text).length ?? 0;
    if (text.includes(', swallow,')) return said !== 'message.not-submitted' || times !== 0;
    if (text.includes(', mute,')) return said !== 'message.not-submitted' || times !== 1;
    return said !== 'submitted' || times !== 1;
  });
  expect(wrong.slice(0, 20)).toEqual([]);
  expect([...taken.values()].flat()).toHaveLength(sent.filter(({ text }) => !text.includes(', swallow,')).length);
});
