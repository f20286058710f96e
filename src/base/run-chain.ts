/** Stands for the run where chains are asked for by the names of functions: no function has this one, and one may be called `run`. */
export const RUN_CHAIN = '';
