/** Whether this is the full run (`E2E=full`): every test in every width and theme, in the full Chromium. */
export const isFull = process.env['E2E'] === 'full'
