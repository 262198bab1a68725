/** Whether a text shows nothing, such as one of spaces, joiners or invisible letters. */
export const showsNothing = (text: string): boolean => /^[\s\p{DI}\p{Cc}\u2800]*$/u.test(text)
