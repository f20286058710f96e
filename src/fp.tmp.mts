import { runProgram } from '../test/reference/program.ts';
import { execFileSync } from 'node:child_process';
for (const p of process.argv.slice(2)) {
  const env = { PATH: '/usr/bin', GLIBC_TUNABLES: 'glibc.cpu.hwcaps=-AVX2,-AVX,-ERMS,-FSRM,-AVX512F,-AVX512VL,-AVX_Fast_Unaligned_Load,-FMA,-FMA4,-SSE4_1' };
  const native = execFileSync(p, { env }).toString();
  const t = performance.now();
  try { const r = runProgram(p, [], 3_000_000); console.log(p, r.stdout === native ? 'same' : 'DIFFERENT', r.graph.length, ((performance.now() - t)/1000).toFixed(1) + 's');
  if (r.stdout !== native) { const a = r.stdout.split('\n'), b = native.split('\n'); b.forEach((l, i) => { if (l !== a[i]) console.log('  ours', a[i], '\n  host', l); }); } } catch (e) { console.log(p, String(e)); }
}
