/** Whether everything is looked at in every width and theme, and in the whole Chromium: `E2E=full`. */
export const isFull = process.env['E2E'] === 'full'
