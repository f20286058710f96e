import { it } from 'vitest';
import { measureFast } from './fast.ts';
it('x', () => { for (const L of [{}, {firstSlice:1,longestSlice:1},{hotEntries:1}]) { try { console.log(measureFast('/tmp/w/lib',[],{depth:0,functions:[],chains:[]},L).stdout); } catch(e) { console.log(L, e); } } });
