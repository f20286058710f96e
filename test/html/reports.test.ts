import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/read.ts';
import { diffProfiles } from '../../src/diff/diff-profiles.ts';
import { judge } from '../../src/gate/judge.ts';
import { readProfile } from '../../src/profile/read.ts';
import { profileReport } from '../../src/report/html/profile-report.ts';
import { verdictReport } from '../../src/report/html/verdict-report.ts';
import { browserHere, openBrowser } from './browser.ts';

const FIXTURES = join(import.meta.dirname, '../../src/report/fixtures');
const here = browserHere();
const directory = mkdtempSync(join(tmpdir(), 'ilp-gate-html-'));
let browser: Browser;
beforeAll(async () => {
  if (here) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  rmSync(directory, { recursive: true });
});

function pages(name: string): readonly string[] {
  const read = (file: string): string => readFileSync(join(FIXTURES, name, file), 'utf8');
  const [base, head] = ['base.json', 'head.json'].map((file) => readProfile(read(file), file));
  const config = readConfig(read('ilp-gate.yml'), 'ilp-gate.yml');
  const target = config.targets[0]!;
  const verdict = judge(diffProfiles(base!, head!), [config.limits, target.limits], target.functions);
  return [
    profileReport(head!),
    verdictReport({ targets: [{ kind: 'judged', target: target.name, verdict }] }),
  ];
}

/** Opens a page from a file and unfolds all of it; `heard` is whatever a harmless page does not do. */
async function open(html: string, width: number, colorScheme: 'light' | 'dark') {
  const file = join(directory, 'report.html');
  writeFileSync(file, html);
  const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme });
  const heard: string[] = [];
  page.on('console', (message) => heard.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => heard.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    heard.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== `file://${file}`) heard.push(`request: ${request.url()}`);
  });
  await page.goto(`file://${file}`);
  await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true; })`);
  return { page, heard };
}

const overflow = (page: Page): Promise<unknown> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Text whose contrast with what it stands on is below 4.5 (WCAG 2.1, 1.4.3), by its own first colours. */
const FAINT = `(() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const luminance = (colour) => numbers(colour).slice(0, 3).map((value) => value / 255)
    .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, at) => sum + value * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (numbers(colour)[3] !== 0) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const faint = new Set();
  for (const element of document.querySelectorAll('body *')) {
    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')) continue;
    const [a, b] = [luminance(getComputedStyle(element).color), luminance(ground(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) faint.add(element.tagName + '.' + element.className + ' ' + ratio.toFixed(2));
  }
  return [...faint];
})()`;

const SHOWN = ['hostile-loops', 'hostile-names', 'longer-chain', 'other-compiler', 'worse-bounds'];

describe.skipIf(!here).each(SHOWN)('in a browser, the HTML reports of %s', (name) => {
  test('load nothing, run nothing and complain of nothing', async () => {
    for (const html of pages(name)) {
      const { page, heard } = await open(html, 1280, 'light');
      expect(heard).toEqual([]);
      expect(
        await page.evaluate(`document.querySelectorAll('script, img, link, iframe, object').length`),
      ).toBe(0);
      expect(await page.evaluate(`document.styleSheets[0].cssRules.length`)).toBeGreaterThan(50);
      await page.close();
    }
  });

  test('are no wider than a telephone', async () => {
    for (const html of pages(name)) {
      for (const width of [360, 768]) {
        const { page } = await open(html, width, 'light');
        expect(await overflow(page)).toBe(0);
        await page.close();
      }
    }
  });

  test.each(['light', 'dark'] as const)('can be read in %s', async (scheme) => {
    for (const html of pages(name)) {
      const { page } = await open(html, 1280, scheme);
      expect(await page.evaluate(FAINT)).toEqual([]);
      await page.close();
    }
  });
});
