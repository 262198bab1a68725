/** A value as PostgreSQL prints its jsonb: with a space after each colon and comma, keys in their order. */
export const jsonbText = (value: unknown): string =>
  JSON.stringify(value, null, 1)
    .replace(/(?<=[[{])\n\s*|\n\s*(?=[\]}])/g, '')
    .replace(/\n\s*/g, ' ')
