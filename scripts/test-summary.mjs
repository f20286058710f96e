// Reads Vitest's JSON report, names what failed or was skipped, and closes with one line for machines and people.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
let passed = 0;
let failed = 0;
for (const file of report.testResults) {
  const name = relative(process.cwd(), file.name);
  // A file that fails without a failed test could not be loaded, or failed in a hook.
  if (file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed')) {
    failed++;
    console.log(`failed: ${name}: ${file.message}`);
  }
  for (const { status, fullName } of file.assertionResults) {
    if (status === 'passed') passed++;
    else console.log(`${status}: ${name}: ${fullName}`);
    if (status === 'failed') failed++;
  }
}
// Errors outside of any test make Vitest unsuccessful, too.
if (!report.success && failed === 0) failed++;
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
