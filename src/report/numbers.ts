import type { Metric } from '../gate/limits.ts';

/** `1234567` as `1,234,567`: no Intl, whose data differs between builds of Node. */
export function printCount(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function printIlp(value: number): string {
  return value.toFixed(2);
}

export function printMetric(metric: Metric, value: number): string {
  return metric === 'ilp' ? printIlp(value) : printCount(value);
}

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
