// `test-summary.mjs REPORT [FAILED-CHECK]...` reads Vitest's JSON report, names what was skipped, then what failed and why,
// and closes with one line. Ends with status 1 unless everything passed. Failures come last: of a log that is cut, the end
// is what is kept.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [file, ...checks] = process.argv.slice(2);
const failures = [];
let passed = 0;
let failed = 0;

/** The first lines of a failure's message, indented: the assertion and where it stands. */
const cause = (message = '') =>
  message
    .split('\n')
    .slice(0, 12)
    .map((line) => `\n    ${line.slice(0, 300)}`)
    .join('');

const text = readFileSync(file, 'utf8');
for (const { name, status, message, assertionResults } of text === '' ? [] : JSON.parse(text).testResults) {
  const path = relative(process.cwd(), name);
  for (const test of assertionResults) {
    if (test.status === 'passed') passed++;
    else if (test.status !== 'failed') console.log(`${test.status}: ${path}: ${test.fullName}`);
    else {
      failed++;
      failures.push(`failed: ${path}: ${test.fullName}${cause(test.failureMessages.join('\n'))}`);
    }
  }
  // A file that fails without a failed test could not be loaded, or failed in a hook.
  if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) {
    failed++;
    failures.push(`failed: ${path}:${cause(message)}`);
  }
}

for (const failure of failures) console.log(failure);

// The check "tests" has failed with its tests; alone, it failed outside of any, or wrote no report.
for (const check of checks) {
  console.log(`failed check: ${check}`);
  if (check !== 'tests' || failed === 0) failed++;
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
