/**
 * The current value, for an assertion that must not wait: about something that must not have happened, or
 * must
 * be true at once.
 * @param _why why waiting would prove nothing
 */
export const rightNow = <T>(_why: string, what: Promise<T>): Promise<T> => what
