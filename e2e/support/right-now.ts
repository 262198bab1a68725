/**
 * What is so at this moment, for an assertion that on purpose does not wait until it holds: of something that
 * must not have happened yet, or must be so in the first moment already.
 * @param _why why waiting would prove nothing
 */
export const rightNow = <T>(_why: string, what: Promise<T>): Promise<T> => what
