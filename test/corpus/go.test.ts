import { describeLanguage } from './describe.ts';

describeLanguage('go', 'gcc', 'go');
