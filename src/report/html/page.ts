import { STYLE } from './style.ts';
import { Html, html } from './template.ts';

/**
 * One file that needs nothing else: no script runs and nothing is loaded, which the policy makes the browser insist on.
 * Styles are this file's own; attributes like `width` of a bar are SVG's, not styles.
 */
export function page(title: string, body: Html): string {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
${body}
</body>
</html>
`;
  return document.text;
}
