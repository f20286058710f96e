import type { RecordType, Type } from '../syntax.ts';
import { laidOut } from './layout.ts';

/** Parameters of class templates and the classes that were made of them. */
export class Templates {
  private readonly parameters = new Map<string, readonly string[]>();
  private readonly made = new Map<string, RecordType>();

  declare(name: string, parameters: readonly string[]): void {
    if (parameters.length > 0 && !this.parameters.has(name)) this.parameters.set(name, parameters);
  }

  /** `record<types>`; the template itself where it is not known yet, or these are its own parameters. */
  instance(record: RecordType, types: readonly Type[]): RecordType {
    const parameters = this.parameters.get(record.name);
    if (parameters === undefined || record.fields.size === 0) return record;
    const given = new Map(
      parameters.flatMap((name, i) => (types[i] === undefined ? [] : [[name, types[i]]])),
    );
    if ([...given].every(([name, type]) => type.kind === 'float' && type.parameter === name)) return record;
    const key = `${record.name}<${types.map(spelled).join()}>`;
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const fields = [...record.fields].map(([name, { type }]): [string, Type] => [
      name,
      this.replaced(type, given, 0),
    ]);
    const made = { ...laidOut(record.name, fields), given };
    if (this.made.size < MOST_MADE) this.made.set(key, made);
    return made;
  }

  private replaced(type: Type, given: ReadonlyMap<string, Type>, depth: number): Type {
    if (depth > DEEPEST) return type;
    switch (type.kind) {
      case 'float':
        return (type.parameter === undefined ? undefined : given.get(type.parameter)) ?? type;
      case 'pointer':
        return { kind: 'pointer', to: this.replaced(type.to, given, depth + 1) };
      case 'array':
        return { ...type, of: this.replaced(type.of, given, depth + 1) };
      case 'record': {
        const { record } = type;
        const own = this.parameters.get(record.name)?.map((name): Type => {
          const before = record.given?.get(name) ?? { kind: 'float', bytes: 8, parameter: name };
          return this.replaced(before, given, depth + 1);
        });
        return own === undefined ? type : { kind: 'record', record: this.instance(record, own) };
      }
      default:
        return type;
    }
  }
}

const MOST_MADE = 10_000;
const DEEPEST = 20;

/** Types that are spelled alike are the same here. */
function spelled(type: Type): string {
  switch (type.kind) {
    case 'float':
      return `float${type.bytes}${type.parameter ?? ''}`;
    case 'int':
      return `${type.signed ? 'int' : 'unsigned'}${type.bytes}`;
    case 'pointer':
      return `${spelled(type.to)}*`;
    case 'array':
      return `${spelled(type.of)}[${type.dimensions.map(({ extent }) => extent ?? '').join()}]`;
    case 'record':
      return `${type.record.name}<${[...(type.record.given?.values() ?? [])].map(spelled).join()}>`;
    default:
      return type.kind;
  }
}
