/** The page number in a parameter of the URL. */
export const pageIn = (value: string | null) => (value && /^[1-9]\d{0,5}$/.test(value) ? Number(value) : 1)
