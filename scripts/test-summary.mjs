// `test-summary.mjs REPORT [FAILED-CHECK]...` reads Vitest's JSON report, names what failed or was skipped, and closes with
// one line. Ends with status 1 unless everything passed.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [file, ...checks] = process.argv.slice(2);
let passed = 0;
let failed = 0;

const text = readFileSync(file, 'utf8');
for (const { name, status, message, assertionResults } of text === '' ? [] : JSON.parse(text).testResults) {
  const path = relative(process.cwd(), name);
  for (const test of assertionResults) {
    if (test.status === 'passed') passed++;
    else console.log(`${test.status}: ${path}: ${test.fullName}`);
    if (test.status === 'failed') failed++;
  }
  // A file that fails without a failed test could not be loaded, or failed in a hook.
  if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) {
    failed++;
    console.log(`failed: ${path}: ${message}`);
  }
}

// The check "tests" has failed with its tests; alone, it failed outside of any, or wrote no report.
for (const check of checks) {
  console.log(`failed check: ${check}`);
  if (check !== 'tests' || failed === 0) failed++;
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
