import { readFileSync } from 'node:fs';
import { Failure } from '../base/failure.ts';
import type { CodeFiles } from '../pipeline/ports.ts';
import { imageTools } from './image-tools.ts';

export const codeFiles: CodeFiles = {
  async readBytes(path) {
    try {
      return readFileSync(path);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      const reason = code === 'EISDIR' ? 'it is a directory' : code;
      throw new Failure('environment', 'file-unreadable', `cannot read ${path}: ${reason}`, {
        file: path,
        reason: code,
      });
    }
  },
  imageTools,
};
