import type { CodePlaces } from '../../translate/code-places.ts';
import type { EngineLimits } from '../../translate/limits.ts';
import { Lanes } from '../../translate/measures/lanes.ts';
import { Tags } from '../../translate/measures/tags.ts';
import { ownedLanes } from '../../translate/steps/lane-shape.ts';
import type { Measure } from '../../translate/steps/measure.ts';
import type { MeasurePlan } from '../memory/measure-plan.ts';

/** What is added to translated code so that a plan is measured. */
export function measureFor(plan: MeasurePlan, places: CodePlaces, limits: EngineLimits): Measure {
  if (plan.kind === 'tags') return new Tags(plan.log, places, plan, limits);
  return new Lanes(plan.threads ? ownedLanes(plan.shape) : plan.shape, plan, limits);
}
