import { describeLanguage } from './describe.ts';

describeLanguage('c', 'gcc', 'clang', 'musl-gcc');
