import { describeLanguage } from './describe.ts';

describeLanguage('cpp', 'gcc', 'g++', 'clang++');
