import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config/read.ts';
import { diffProfiles } from '../diff/diff-profiles.ts';
import { judge } from '../gate/judge.ts';
import type { GateResult } from '../gate/result.ts';
import { readProfile } from '../profile/read.ts';
import { sourceNotes } from './annotate.ts';
import { boundsSummary } from './bounds-summary.ts';
import { visible } from './escape.ts';
import { describeExplanation } from './explain.ts';
import { headline } from './headline.ts';
import { html } from './html/template.ts';
import { verdictReport } from './html/verdict-report.ts';
import { jsonReport } from './json.ts';
import { markdownReport } from './markdown.ts';
import { NO_PAINT } from './ports.ts';
import { measureSummary } from './summary.ts';
import { textReport } from './text.ts';
import { viewOf } from './view.ts';

/** Each folder: two profiles and a configuration, and beside them the reviewed reports. */
const FIXTURES = new URL('fixtures/', import.meta.url);

describe.each(readdirSync(FIXTURES))('the reports of %s', (name) => {
  const at = (file: string): URL => new URL(`${name}/${file}`, FIXTURES);
  const result = judged(at);

  it('are as reviewed, as text', async () => {
    await expect(textReport(result, NO_PAINT)).toMatchFileSnapshot(at('report.txt').pathname);
  });
  it('are as reviewed, as Markdown', async () => {
    await expect(markdownReport(result)).toMatchFileSnapshot(at('report.md').pathname);
  });
  it('are as reviewed, as JSON', async () => {
    await expect(jsonReport(result)).toMatchFileSnapshot(at('verdict.json').pathname);
  });
  it('come with annotations as reviewed', async () => {
    const notes = `${JSON.stringify(sourceNotes(result), undefined, 2)}\n`;
    await expect(notes).toMatchFileSnapshot(at('annotations.json').pathname);
  });
  it('come with a summary of the head’s bounds as reviewed, where it has some', async () => {
    const head = readProfile(readFileSync(at('head.json'), 'utf8'), 'head.json');
    const summary = boundsSummary(head, NO_PAINT);
    expect(summary === undefined).toBe(head.bounds === undefined);
    if (summary !== undefined) await expect(summary).toMatchFileSnapshot(at('bounds.txt').pathname);
  });
  it('are of the same words and numbers, as HTML', () => {
    const words = verdictReport(result).replace(/<[^>]*>/g, '');
    expect(words).toContain(escaped(headline(result, visible)));
    if (result.targets[0]?.kind !== 'judged') return;
    for (const explanation of viewOf(result.targets[0].verdict).explanations) {
      const seen = { name: visible, prose: visible };
      expect(words.toLowerCase()).toContain(escaped(describeExplanation(explanation, seen)).toLowerCase());
    }
  });
  it('come with a summary of the head as reviewed', async () => {
    const head = readProfile(readFileSync(at('head.json'), 'utf8'), 'head.json');
    await expect(measureSummary(head, NO_PAINT)).toMatchFileSnapshot(at('summary.txt').pathname);
  });
});

function escaped(text: string): string {
  return html`${text}`.text;
}

function judged(at: (file: string) => URL): GateResult {
  const [base, head] = ['base.json', 'head.json'].map((file) =>
    readProfile(readFileSync(at(file), 'utf8'), file),
  );
  const config = readConfig(readFileSync(at('ilp-gate.yml'), 'utf8'), 'ilp-gate.yml');
  const target = config.targets[0]!;
  const verdict = judge(diffProfiles(base!, head!), [config.limits, target.limits], target.functions);
  return { targets: [{ kind: 'judged', target: target.name, verdict }] };
}
