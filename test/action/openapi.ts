import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv, type ValidateFunction } from 'ajv';

const require = createRequire(import.meta.url);

/** GitHub's own description of its REST API: every request and answer of the fake server is held against it. */
export interface ApiDescription {
  /** The operation that a request addresses, or undefined where GitHub has none. */
  match(method: string, path: string): Operation | undefined;
  /** GitHub's own example of an answer's part, as a template to fill in. */
  example(name: string): unknown;
}

export interface Operation {
  readonly id: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** What is wrong with a request, in words; empty where nothing is. */
  requestProblems(query: URLSearchParams, body: unknown): readonly string[];
  answerProblems(status: number, body: unknown): readonly string[];
}

type Json = Record<string, unknown>;

interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Json;
}

interface OperationObject {
  readonly operationId: string;
  readonly parameters?: readonly Json[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Json }> };
  readonly responses: Record<string, Json>;
}

export function readApiDescription(): ApiDescription {
  const file = require.resolve('@octokit/openapi/generated/api.github.com.json');
  const document = JSON.parse(readFileSync(file, 'utf8'));
  const resolve = (value: Json): Json =>
    typeof value.$ref === 'string'
      ? value.$ref
          .slice(2)
          .split('/')
          .reduce((at, key) => at[key] as Json, document as Json)
      : value;
  const validators = validatorsOf(document);
  const routes = Object.keys(document.paths).map((template) => ({ template, pattern: patternOf(template) }));

  return {
    example: (name) => structuredClone(document.components.examples[name].value),
    match(method, path) {
      for (const { template, pattern } of routes) {
        const found = pattern.exec(path);
        const operation: OperationObject | undefined = document.paths[template][method.toLowerCase()];
        if (found !== null && operation !== undefined) {
          const parameters = (operation.parameters ?? []).map(
            (it) => resolve(it) as unknown as ParameterObject,
          );
          return describe(operation, parameters, { ...found.groups }, resolve, validators);
        }
      }
      return undefined;
    },
  };
}

function describe(
  operation: OperationObject,
  declared: readonly ParameterObject[],
  parameters: Record<string, string>,
  resolve: (value: Json) => Json,
  validate: (schema: Json, value: unknown) => readonly string[],
): Operation {
  const checkText = (parameter: ParameterObject, text: string) => {
    const numeric = parameter.schema.type === 'integer';
    return validate(parameter.schema, numeric ? Number(text) : text).map((it) => `${parameter.name}: ${it}`);
  };
  return {
    id: operation.operationId,
    parameters,
    requestProblems(query, body) {
      const problems: string[] = [];
      for (const parameter of declared) {
        if (parameter.in === 'path') {
          problems.push(...checkText(parameter, parameters[parameter.name]));
        }
      }
      for (const [name, text] of query) {
        const parameter = declared.find((it) => it.in === 'query' && it.name === name);
        problems.push(
          ...(parameter === undefined ? [`unknown query parameter ${name}`] : checkText(parameter, text)),
        );
      }
      const content = operation.requestBody?.content['application/json'];
      if (content !== undefined) {
        problems.push(...validate(content.schema, body).map((it) => `body: ${it}`));
      } else if (body !== undefined) {
        problems.push('a body where none belongs');
      }
      return problems;
    },
    answerProblems(status, body) {
      const declaredAnswer = operation.responses[String(status)];
      if (declaredAnswer === undefined) {
        return status >= 500 || status === 401 || status === 403 || status === 429
          ? []
          : [`undeclared status ${status}`];
      }
      const answer = resolve(declaredAnswer) as { content?: Record<string, { schema: Json }> };
      const content = answer.content?.['application/json'];
      return content === undefined ? [] : validate(content.schema, body).map((it) => `answer: ${it}`);
    },
  };
}

function patternOf(template: string): RegExp {
  const escaped = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

function validatorsOf(document: { components: { schemas: Record<string, Json> } }) {
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  const added = new Set<string>();
  const addReachable = (schema: unknown): void => {
    for (const [, name] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (!added.has(name)) {
        added.add(name);
        addReachable(document.components.schemas[name]);
        ajv.addSchema(toJsonSchema(document.components.schemas[name]) as Json, `schema:${name}`);
      }
    }
  };
  const compiled = new Map<string, ValidateFunction>();
  return (schema: Json, value: unknown): readonly string[] => {
    const key = JSON.stringify(schema);
    let validate = compiled.get(key);
    if (validate === undefined) {
      addReachable(schema);
      validate = ajv.compile(toJsonSchema(schema) as Json);
      compiled.set(key, validate);
    }
    return validate(value) ? [] : (validate.errors ?? []).map((it) => `${it.instancePath} ${it.message}`);
  };
}

/** OpenAPI 3.0 to JSON Schema as ajv reads it: `nullable` needs a type beside it, references need ajv's names. */
function toJsonSchema(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(toJsonSchema);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const schema: Json = {};
  for (const [key, part] of Object.entries(value)) {
    if (key === 'example' || key === 'examples') {
      continue;
    }
    schema[key] =
      key === '$ref' && typeof part === 'string'
        ? part.replace('#/components/schemas/', 'schema:')
        : toJsonSchema(part);
  }
  if (schema.nullable === true && typeof schema.type !== 'string') {
    delete schema.nullable;
    return { anyOf: [schema, { type: 'null' }] };
  }
  return schema;
}
