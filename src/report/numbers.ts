import type { Metric } from '../gate/limits.ts';

/** `1234567` as `1,234,567`: no Intl, whose data differs between builds of Node. */
export function printCount(value: number | string): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function printIlp(value: number): string {
  return value.toFixed(2);
}

export function printMetric(metric: Metric, value: number): string {
  switch (metric) {
    case 'ilp':
      return printIlp(value);
    case 'mac':
    case 'macs':
    case 'load-imbalance':
      return printCpl(value);
    case 'utilisation':
      return printShare(value);
    case 'run-time-bound':
    case 'parallel-bound':
      return printCount(Math.round(value));
    case 'instructions':
    case 'cycles':
      return printCount(value);
  }
}

/** Both sides of a change, with as many decimals as it takes to see it. */
export function printMove(metric: Metric, base: number, head: number): readonly [string, string] {
  const short = [printMetric(metric, base), printMetric(metric, head)] as const;
  if (short[0] !== short[1] || base === head || metric === 'instructions' || metric === 'cycles')
    return short;
  return [printFraction(base, 4), printFraction(head, 4)];
}

/** Cycles per loop iteration. */
export function printCpl(value: number): string {
  return printFraction(value, 2);
}

/** With its sign, as gaps are: `+1.00`, `-0.25`, `0.00`. */
export function printSignedCpl(value: number): string {
  const text = printFraction(Math.abs(value), 2);
  return text === '0.00' ? text : `${value > 0 ? '+' : '-'}${text}`;
}

/** How often something is done in an iteration: two decimals, none where it is whole. */
export function printAmount(value: number): string {
  return printFraction(value, 2).replace(/\.00$|(?<=\.\d)0$/, '');
}

function printFraction(value: number, decimals: number): string {
  const [whole = '', fraction] = value.toFixed(decimals).split('.');
  return `${printCount(whole)}.${fraction}`;
}

/** What the metrics are called in a sentence. */
export const METRIC_WORDS: Readonly<Record<Metric, string>> = {
  instructions: 'instructions',
  cycles: 'cycles',
  ilp: 'ILP',
  mac: 'MAC',
  macs: 'MACS',
  'run-time-bound': 'run-time bound',
  'parallel-bound': 'parallel run-time bound',
  'load-imbalance': 'load imbalance',
  utilisation: 'utilisation',
};

/** `+1.25%`; a change too small for two decimals still shows as one. */
export function printChange(base: number, head: number): string {
  if (base === head) return '0%';
  const sign = head > base ? '+' : '-';
  if (base === 0) return 'from 0';
  const size = (Math.abs(head - base) / base) * 100;
  if (size < 0.01) return `${sign}<0.01%`;
  return `${sign}${size < 1000 ? size.toFixed(size < 10 ? 2 : 1) : printCount(Math.round(size))}%`;
}

export function printShare(share: number): string {
  const percent = share * 100;
  return percent > 0 && percent < 0.1 ? '<0.1%' : `${percent.toFixed(1)}%`;
}

/** `1 target`, `2 targets`. */
export function plural(count: number, noun: string, many = `${noun}s`): string {
  return `${printCount(count)} ${count === 1 ? noun : many}`;
}
