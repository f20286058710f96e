import { describeLanguage } from './describe.ts';

describeLanguage('rust', 'gcc', 'rustc');
