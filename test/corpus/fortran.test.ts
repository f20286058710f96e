import { describeLanguage } from './describe.ts';

describeLanguage('fortran', 'gcc', 'gfortran');
