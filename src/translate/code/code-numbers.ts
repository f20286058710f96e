import type { CodeEvents } from '../code-events.ts';
import { FAULTS, type ServiceSite, UNSUPPORTED } from '../region-interface.ts';
import { serviceNumber, siteOf } from '../strings/numbers.ts';

/** What the generated code of a cache names by numbers: service sites and the texts of unsupported instructions. */
export class CodeNumbers {
  readonly sites: ServiceSite[] = [];
  readonly unsupported: string[] = [];

  /** All numbers of an earlier run stand for the same. */
  expect(sites: readonly ServiceSite[], unsupported: readonly string[]): void {
    this.sites.push(...sites);
    this.unsupported.push(...unsupported);
  }

  /** What generated code calls `service` with. */
  ofSite(site: ServiceSite): number {
    return serviceNumber(site, this.sites.push(site) - 1);
  }

  /** The other way round. */
  site(number: number): ServiceSite {
    return this.sites[siteOf(number)];
  }

  /** Number under which `raise` finds an unsupported instruction's text. */
  ofUnsupported(text: string): number {
    const known = this.unsupported.indexOf(text);
    return known >= 0 ? known : this.unsupported.push(text) - 1;
  }

  /** What generated code raises at an address. */
  raise(number: number, address: number, events: Pick<CodeEvents, 'raise' | 'unsupported'>): void {
    if (number < UNSUPPORTED) events.raise(FAULTS[number], address);
    else events.unsupported(this.unsupported[number - UNSUPPORTED]);
  }
}
