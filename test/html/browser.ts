import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  existsSync,
);

/** Whether a browser is here. Without it the tests are skipped, unless REQUIRE_ORACLES is set. */
export function browserHere(): boolean {
  if (CHROMIUM === undefined && process.env.REQUIRE_ORACLES === '1') throw new Error('chromium is missing');
  return CHROMIUM !== undefined;
}

/** Its own sandbox needs privileges that containers lack; the pages are our own. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM!, args: ['--no-sandbox', '--disable-gpu'] });
}
