import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { BlobSASPermissions, BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';

/** The artifact service: the runner's small twirp endpoint in front of a real Azure blob server (azurite). */
export interface ArtifactServer {
  /** ACTIONS_RESULTS_URL and ACTIONS_RUNTIME_TOKEN, as the runner gives them to an action. */
  readonly env: Record<string, string>;
  /** The token of another run, which the service refuses. */
  readonly foreignToken: string;
  /** Finished artifacts: their zip files by name. */
  readonly artifacts: Map<string, Buffer>;
  /** Paths inside a finished artifact. */
  entries(name: string): readonly string[];
  close(): Promise<void>;
}

const require = createRequire(import.meta.url);

const RUN = 'ce7f54c7-61c7-4aae-887f-30da475f5f1a';
const JOB = 'ca395085-040a-526b-2ce8-bdc85f692774';
/** Azurite's well-known account; it is in its documentation. */
const ACCOUNT = 'devstoreaccount1';
const KEY = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

export async function startArtifacts(): Promise<ArtifactServer> {
  const azurite = await startAzurite();
  const blobs = new BlobServiceClient(
    `${azurite.url}/${ACCOUNT}`,
    new StorageSharedKeyCredential(ACCOUNT, KEY),
  );
  const container = blobs.getContainerClient('artifacts');
  await container.create();
  const artifacts = new Map<string, Buffer>();

  const twirp = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk as Buffer);
    }
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (body.workflow_run_backend_id !== RUN || body.workflow_job_run_backend_id !== JOB) {
      answer(403, { code: 'permission_denied', msg: 'not this run' });
      return;
    }
    const blob = container.getBlockBlobClient(body.name);
    switch (request.url) {
      case '/twirp/github.actions.results.api.v1.ArtifactService/CreateArtifact': {
        if (artifacts.has(body.name)) {
          answer(409, {
            code: 'already_exists',
            msg: 'an artifact with this name already exists on the workflow run',
          });
          return;
        }
        const permissions = BlobSASPermissions.parse('cw');
        const expiresOn = new Date(Date.now() + 3_600_000);
        answer(200, { ok: true, signed_upload_url: await blob.generateSasUrl({ permissions, expiresOn }) });
        return;
      }
      case '/twirp/github.actions.results.api.v1.ArtifactService/FinalizeArtifact': {
        const stored = await blob.downloadToBuffer();
        if (String(stored.length) !== body.size) {
          answer(400, { code: 'invalid_argument', msg: `size is ${stored.length}` });
          return;
        }
        artifacts.set(body.name, stored);
        answer(200, { ok: true, artifact_id: String(4711 + artifacts.size) });
        return;
      }
      default:
        answer(404, { code: 'bad_route', msg: `no route ${request.url}` });
    }
  });
  await new Promise<void>((resolve) => twirp.listen(0, '127.0.0.1', resolve));

  return {
    env: {
      ACTIONS_RESULTS_URL: `http://127.0.0.1:${(twirp.address() as AddressInfo).port}/`,
      ACTIONS_RUNTIME_TOKEN: unsignedToken({ scp: `Actions.Results:${RUN}:${JOB}` }),
    },
    foreignToken: unsignedToken({ scp: `Actions.Results:${JOB}:${RUN}` }),
    artifacts,
    entries: (name) => zipEntries(artifacts.get(name) ?? Buffer.alloc(0)),
    async close() {
      await new Promise((resolve) => twirp.close(resolve));
      azurite.process.kill();
    },
  };
}

async function startAzurite(): Promise<{ url: string; process: ChildProcess }> {
  const program = require.resolve('azurite/dist/src/blob/main.js');
  const flags = [
    '--blobPort',
    '0',
    '--inMemoryPersistence',
    '--skipApiVersionCheck',
    '--disableTelemetry',
    '--silent',
  ];
  const child = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    const listening = /listens on (http:\S+)/.exec(line);
    if (listening !== null) {
      return { url: listening[1], process: child };
    }
  }
  throw new Error('azurite ended before it listened');
}

function unsignedToken(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none', typ: 'JWT' })}.${part(claims)}.`;
}

/** Names in the central directory of a zip file (APPNOTE 4.3.12). */
function zipEntries(zip: Buffer): readonly string[] {
  const names: string[] = [];
  for (let at = zip.indexOf('PK\x01\x02'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 46)) {
    const length = zip.readUInt16LE(at + 28);
    names.push(zip.toString('utf8', at + 46, at + 46 + length));
  }
  return names.sort();
}
