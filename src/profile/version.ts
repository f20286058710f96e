/** Version of this tool, as package.json has it (version.test.ts compares them). */
export const VERSION = '0.1.0';
