import type { Profile } from '../../profile/profile.ts';
import { visible } from '../escape.ts';
import { loopsSection } from './loops.ts';
import { page } from './page.ts';
import {
  callsSection,
  chainsSection,
  environmentSection,
  functionsSection,
  programsSection,
  threadsSection,
  totalTiles,
} from './run.ts';
import { html } from './template.ts';

/** What one run measured, as a page to be opened from a file. The same profile always gives the same bytes. */
export function profileReport(profile: Profile): string {
  const sections = [
    { id: 'loops', name: 'Loops', body: loopsSection(profile) },
    { id: 'programs', name: 'Programs', body: programsSection(profile) },
    { id: 'functions', name: 'Functions', body: functionsSection(profile) },
    { id: 'threads', name: 'Threads', body: threadsSection(profile) },
    { id: 'calls', name: 'Calls', body: callsSection(profile) },
    { id: 'chains', name: 'Longest chains', body: chainsSection(profile) },
    { id: 'environment', name: 'Environment', body: environmentSection(profile.environment) },
  ].filter(({ body }) => body !== undefined);
  const command = visible(profile.command.join(' '), 300);
  const name = visible(profile.target ?? profile.command[0] ?? 'a program', 100);
  return page(
    `ILP Gate: ${name}`,
    html`<header><div>
<h1>${name}</h1>
<p class="soft"><code>${command}</code></p>
<nav>${sections.map(({ id, name: title }) => html`<a href="#${id}">${title}</a>`)}</nav>
</div></header>
<main>
${totalTiles(profile)}
${sections.map(({ body }) => body)}
</main>
<footer>Instructions and cycles are those of rules ${profile.environment.rules}, the same on every machine.${profile.bounds !== undefined && ' Bounds are least cycles on a model of the machine named above.'}</footer>`,
  );
}
