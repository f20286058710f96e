import type { CodePlaces } from '../translate/code-places.ts';
import { ownedLanes } from '../translate/lane-shape.ts';
import { Lanes } from '../translate/lanes.ts';
import type { EngineLimits } from '../translate/limits.ts';
import type { Measure } from '../translate/measure.ts';
import { Tags } from '../translate/tags.ts';
import type { MeasurePlan } from './measure-plan.ts';

/** What is added to translated code so that a plan is measured. */
export function measureFor(plan: MeasurePlan, places: CodePlaces, limits: EngineLimits): Measure {
  if (plan.kind === 'tags') return new Tags(plan.log, places, plan, limits);
  return new Lanes(plan.threads ? ownedLanes(plan.shape) : plan.shape, plan, limits);
}
